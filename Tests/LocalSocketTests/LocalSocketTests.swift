import CallbotTesting
import EventLoop
import Foundation
import Glibc
import MediaTypes
import Testing

@testable import LocalSocket

/// A server on a loop of its own, that says everything in capitals.
private actor Shouter {
    nonisolated let loop: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var server: LocalServer?

    init(_ loop: LoopExecutor) { self.loop = loop }

    func listen(in folder: String) throws {
        server = try LocalServer(in: folder, named: "it.socket", on: loop, complaint: Array("too long".utf8)) { line in
            Array(String(decoding: line, as: UTF8.self).uppercased().utf8)
        }
    }

    func close() { server = nil }
}

@Suite struct LocalSocketTests {
    private let temporary: TemporaryFolder
    private let loop = LoopExecutor(name: "test-loop")

    init() throws { temporary = try TemporaryFolder() }

    private func withServer(in folder: String? = nil, _ body: (String) throws -> Void) async throws {
        let shouter = Shouter(loop)
        let folder = folder ?? temporary.path
        try await shouter.listen(in: folder)
        let result = Result { try body(folder) }
        await shouter.close()
        loop.stop()
        try result.get()
        #expect(!FileManager.default.fileExists(atPath: folder + "/it.socket"))
        #expect(throws: LocalSocketError.self) { try ask("x", in: folder) }
    }

    private func ask(_ text: String, in folder: String) throws -> String {
        let answer = try LocalClient.ask(
            Array(text.utf8), in: folder, named: "it.socket", patience: .seconds(20))
        return String(decoding: answer, as: UTF8.self)
    }

    /// A connection that can misbehave.
    private func connection(in folder: String) throws -> SocketDescriptor {
        let address = try LocalSocketAddress(folder: folder, name: "it.socket")
        let socket = try SocketDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), of: folder)
        try address.use { connect(socket.number, $0, $1) }
        return socket
    }

    private func say(_ bytes: [UInt8], to socket: SocketDescriptor) {
        _ = send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// All that comes until the other end closes.
    private func hear(_ socket: SocketDescriptor) -> String {
        var heard: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1000)
        while true {
            let count = recv(socket.number, &chunk, chunk.count, 0)
            guard count > 0 else { return String(decoding: heard, as: UTF8.self) }
            heard += chunk[..<count]
        }
    }

    @Test func everyLineIsAnsweredAndOnlyItsUserMayAsk() async throws {
        try await withServer { (folder) throws in
            #expect(try ask("hello", in: folder) == "HELLO")
            #expect(try ask("", in: folder) == "")
            let longest = String(repeating: "a", count: LocalServer.longestLine)
            #expect(try ask(longest, in: folder) == longest.uppercased())
            var status = stat()
            #expect(stat(folder + "/it.socket", &status) == 0 && status.st_mode == S_IFSOCK | 0o600)
        }
    }

    @Test func aPathThatIsTooLongForASocketWillDo() async throws {
        let folder = temporary.path + "/" + String(repeating: "long-", count: 40)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await withServer(in: folder) { (folder) throws in #expect(try ask("hello", in: folder) == "HELLO") }
    }

    @Test func whoSaysNothingOrHalfALineOrTooMuchKeepsNobodyWaiting() async throws {
        try await withServer { (folder) throws in
            let silent = try (0..<40).map { _ in try connection(in: folder) }
            for socket in silent { say(Array("half a li".utf8), to: socket) }
            #expect(try ask("still there?", in: folder) == "STILL THERE?")
            // The first of them had to go, the last may go on.
            #expect(hear(silent[0]) == "")
            say(Array("ne\nand\n".utf8), to: silent[39])
            shutdown(silent[39].number, Int32(SHUT_WR))
            #expect(hear(silent[39]) == "HALF A LINE\nAND\n")

            let talkative = try connection(in: folder)
            say([UInt8](repeating: 0x61, count: LocalServer.longestLine + 1), to: talkative)
            #expect(hear(talkative) == "too long\n")
            #expect(try ask("and now?", in: folder) == "AND NOW?")
        }
    }

    @Test func whoDoesNotReadTheAnswersIsCutOff() async throws {
        try await withServer { (folder) throws in
            let deaf = try connection(in: folder)
            let lines = Array(String(repeating: String(repeating: "x", count: 1000) + "\n", count: 2000).utf8)
            say(lines, to: deaf)
            #expect(try ask("still there?", in: folder) == "STILL THERE?")
        }
    }

    @Test func aSocketThatAKilledProcessLeftIsReplaced() async throws {
        let stale = try LocalSocketAddress(folder: temporary.path, name: "it.socket")
        do {
            let socket = try SocketDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), of: stale.path)
            try stale.use { bind(socket.number, $0, $1) }
        }
        do {
            _ = try ask("x", in: temporary.path)
            Issue.record("somebody answered")
        } catch let error as LocalSocketError {
            #expect(error.isNobodyThere && error.reason == "nobody listens")
        }
        try await withServer { (folder) throws in #expect(try ask("hello", in: folder) == "HELLO") }
    }

    @Test func whereThereIsNoFolderNobodyListens() throws {
        defer { loop.stop() }
        for folder in ["/nowhere/at/all", "/nowhere/" + String(repeating: "long-", count: 40)] {
            do {
                _ = try ask("x", in: folder)
                Issue.record("somebody answered")
            } catch let error as LocalSocketError {
                #expect(error.isNobodyThere)
            }
        }
    }
}
