import EventLoop
import Foundation
import Glibc
import Testing

@testable import WebServer

/// A real server on loopback, over a folder with good files and bad ones.
final class TestSite: Sendable {
    let server: WebServer
    let client: RawClient
    let folder: String
    let events = EventStream(capacity: 1 << 20)
    private let loop = LoopExecutor(name: "test-server")

    static let length = 300_000
    static let contents = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    init(_ configure: (inout WebServer.Configuration) -> Void = { _ in }) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "callbot-site-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder + "/root/tracks", withIntermediateDirectories: true)
        try Data(Self.contents).write(to: URL(filePath: folder + "/root/call.webm"))
        try Data("inner".utf8).write(to: URL(filePath: folder + "/root/tracks/01-Åsa-microphone.webm"))
        try Data("secret".utf8).write(to: URL(filePath: folder + "/secret"))
        try Data().write(to: URL(filePath: folder + "/root/empty"))
        symlink("../secret", folder + "/root/link")
        symlink("call.webm", folder + "/root/inner-link")
        symlink("..", folder + "/root/up")
        mkfifo(folder + "/root/pipe", 0o600)
        let served = try #require(ServedFolder(folder + "/root"))
        var configuration = WebServer.Configuration()
        configure(&configuration)
        let events = events
        server = WebServer(configuration, loop: loop) { request in
            switch request.path.first {
            case "files":
                served.file(Array(request.path.dropFirst())).map { .file($0, type: "video/webm") } ?? .notFound
            case "echo": .bytes(request.body, type: "text/plain")
            case "path":
                .text(
                    request.path.joined(separator: "|") + request.query.map { " \($0.name)=\($0.value)" }.joined(),
                    status: 200)
            case "events": .events(events)
            default: .notFound
            }
        }
        client = RawClient(port: try await server.start())
    }

    func close() async {
        await server.stop()
        loop.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
