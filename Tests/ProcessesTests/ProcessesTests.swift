import CallbotTesting
import EventLoop
import Glibc
import MediaTypes
import Testing

@testable import Processes

@Suite struct ProcessesTests {
    /// How a watched process ended.
    func exit(of identity: ProcessIdentity, signalling signal: Int32? = nil) async throws -> ProcessWatch.Exit {
        let loop = LoopExecutor(name: "watch")
        return try await Watcher(loop).exit(of: identity, signalling: signal)
    }

    actor Watcher {
        nonisolated let loop: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var watch: ProcessWatch?

        init(_ loop: LoopExecutor) { self.loop = loop }

        func exit(of identity: ProcessIdentity, signalling signal: Int32?) async throws -> ProcessWatch.Exit {
            try await withCheckedThrowingContinuation { done in
                do {
                    watch = try ProcessWatch(identity, on: loop) { done.resume(returning: $0) }
                    if let signal { watch?.signal(signal) }
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
    }

    @Test func aProgramSaysHowItEndedAndWhatItSaidIsKept() async throws {
        let temporary = try TemporaryFolder()
        var launch = ProgramLaunch(
            "/bin/sh", ["-c", "echo $WORD; pwd; echo bad >&2; exit 7"], log: temporary.path + "/log")
        launch.environment = ["WORD=hello"]
        launch.folder = "/"
        let identity = try launch.start()
        #expect(try await exit(of: identity) == .code(7))
        let second = try launch.start()
        #expect(try await exit(of: second) == .code(7))
        let text = try String(contentsOfFile: temporary.path + "/log")
        #expect(text == String(repeating: "hello\n/\nbad\n", count: 2))
    }

    @Test func itHasASessionAndDescriptorsOfItsOwn() async throws {
        let temporary = try TemporaryFolder()
        let open = Glibc.open("/dev/null", O_RDONLY)
        defer { close(open) }
        let launch = ProgramLaunch(
            "/bin/sh", ["-c", "ls /proc/self/fd | wc -l; cut -d' ' -f1,6 /proc/$$/stat"], log: temporary.path + "/log")
        let identity = try launch.start()
        #expect(try await exit(of: identity) == .code(0))
        let lines = try String(contentsOfFile: temporary.path + "/log").split(separator: "\n")
        // Three of its own, and the one by which ls reads.
        #expect(lines.first.flatMap { Int($0) } == 4)
        #expect(lines.last.map(String.init) == "\(identity.number) \(identity.number)")
    }

    @Test func aSignalReachesIt() async throws {
        let temporary = try TemporaryFolder()
        let identity = try ProgramLaunch("/bin/sleep", ["86400"], log: temporary.path + "/log").start()
        #expect(identity.isRunning)
        #expect(identity.processorTime != nil)
        #expect(try await exit(of: identity, signalling: SIGTERM) == .signal(SIGTERM))
        #expect(!identity.isRunning)
        #expect(identity.processorTime == nil)
    }

    /// As after a restart of the daemon: its recorders are nobody's children.
    @Test func theEndOfWhatIsNoChildIsSeen() async throws {
        let temporary = try TemporaryFolder()
        // The shell starts it and is gone.
        let launch = ProgramLaunch("/bin/sh", ["-c", "sleep 86400 & echo $!"], log: temporary.path + "/log")
        #expect(try await exit(of: launch.start()) == .code(0))
        let number = try #require(Int32(try String(contentsOfFile: temporary.path + "/log").split(separator: "\n")[0]))
        let identity = try #require(ProcessIdentity(of: number))
        #expect(try await exit(of: identity, signalling: SIGKILL) == .unknown)
        #expect(!identity.isRunning)
    }

    @Test func aNumberThatIsAnothersNowIsNotMeant() async throws {
        let own = ProcessIdentity.own
        #expect(own.isRunning)
        #expect(own.residentMemory ?? 0 > 1_000_000)
        let former = ProcessIdentity(number: own.number, start: own.start &- 5)
        #expect(!former.isRunning)
        await #expect(throws: ProcessError.self) { try await exit(of: former) }
    }

    @Test func whatCannotBeStartedSaysWhy() throws {
        let temporary = try TemporaryFolder()
        let launch = ProgramLaunch("/no/such/program", [], log: temporary.path + "/log")
        #expect { try launch.start() } throws: {
            "\($0)" == "cannot start /no/such/program: no such program, or folder"
        }
    }
}

extension String {
    init(contentsOfFile path: String) throws {
        guard let file = fopen(path, "re") else { throw ProcessError("read", errno: errno) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = fread(&bytes, 1, bytes.count, file)
        self = String(decoding: bytes[..<count], as: UTF8.self)
    }
}
