import EventLoop
import Glibc
import MediaTypes
import Playback
import RecordingFormat
import Storage
import WebServer

extension PlayCommand {
    /// Until it is told to stop, or is at its end.
    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) async throws(CommandFailure) -> ExitCode {
        let request = try request.located(in: surroundings.environment)
        guard request.isText else { return try await serve(request, in: surroundings) }
        // Where the sound goes there, the text does not.
        return try await follow(
            request, stopSignal: surroundings.stopSignal,
            output: request.sound == "-" ? surroundings.standardError : surroundings.output)
    }

    /// Serves the recording until it is time to end.
    private static func serve(
        _ request: Request, in surroundings: Surroundings
    ) async throws(CommandFailure) -> ExitCode {
        let view = try view(of: request.recording)
        let id = view.manifest.id.value.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        let place = PlaybackPlace(token: token(), id: id.isEmpty ? "recording" : id, folder: request.recording)
        var configuration = WebServer.Configuration()
        configuration.port = request.port
        let loop = LoopExecutor(name: "callbot-play")
        defer { loop.stop() }
        let server = WebServer(configuration, loop: loop) { place.respond(to: $0) }
        let port: UInt16
        do { port = try await server.start() } catch {
            throw CommandFailure(error, option: "--port")
        }
        let moment = request.from > .zero ? "#t=\(request.from.seconds)" : ""
        let address = "http://127.0.0.1:\(port)\(place.path)\(moment)"
        surroundings.output(address + "\n")
        let doorway = request.opensBrowser && hasDesktop(surroundings.environment) ? Doorway(to: address) : nil
        doorway?.open()
        let stopped = await wait(for: request.time, surroundings.stopSignal)
        doorway?.close()
        await server.stop()
        return stopped
    }

    static func view(of folder: String) throws(CommandFailure) -> RecordingView {
        guard Folder.isFolder(folder) else {
            throw CommandFailure(
                code: .noInput,
                sentence: "\(folder) is no recording's folder; give one that has a \(FileNaming.manifest)")
        }
        do { return try RecordingView(folder: folder) } catch {
            throw CommandFailure(code: .noInput, sentence: "\(error); 'callbot repair \(folder)' may help")
        }
    }

    /// Waits for a signal, or so long.
    static func wait(for time: Duration?, _ stopSignal: @Sendable () -> Int32?) async -> ExitCode {
        let end = time.map { HostClock.now() + $0 }
        while end.map({ HostClock.now() < $0 }) ?? true {
            if let signal = stopSignal() { return signal == SIGINT ? .interrupted : .terminated }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return .success
    }

    /// 128 bits that nobody guesses.
    private static func token() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private static func hasDesktop(_ environment: Environment) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment.variable($0) ?? "").isEmpty }
    }
}

/// Where one recording stands on a server of its own: `/TOKEN/r/ID/`.
struct PlaybackPlace: Sendable {
    let token: String
    let id: String
    let folder: String

    var path: String { "/\(token)/r/\(id)/" }

    func respond(to request: Request) -> Response {
        guard request.path.count >= 3, matches(request.path[0]), request.path[1] == "r", request.path[2] == id else {
            return .notFound
        }
        return RecordingSite.respond(to: request, path: Array(request.path.dropFirst(3)), folder: folder)
    }

    /// In the same time, however much of it is right.
    private func matches(_ guess: String) -> Bool {
        let (a, b) = (Array(token.utf8), Array(guess.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// A page on the disk that leads a browser to an address: what stands on a command line can be read by everybody on the
/// machine, and the address has a secret in it.
private final class Doorway {
    private let file: String
    private let address: String

    init(to address: String) {
        self.address = address
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp"
        file = "\(folder)/callbot-play-\(getpid())-\(HostClock.now().nanoseconds).html"
    }

    func open() {
        let text = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=\(address)\">"
        guard (try? AppendFile(creating: file).append(Array(text.utf8))) != nil else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(file)]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        // Where there is no xdg-open the address has been printed all the same.
        posix_spawnp(&process, "xdg-open", &actions, nil, words + [nil], environ)
    }

    func close() { SmallFile.remove(file) }
}
