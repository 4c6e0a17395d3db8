import Foundation

/// A real Janus server with rooms in it, on loopback.
struct JanusServer: Decodable {
    let dir: String
    let ws: String
    let wss: String?
    let certificate: String?
    let admin: String

    static func start(_ options: String...) throws -> JanusServer {
        try JSONDecoder().decode(
            JanusServer.self, from: Program.output(["janus-room", "start", "--for", "120"] + options))
    }

    /// One request to a plugin.
    func ask(_ plugin: String, _ request: String) throws {
        try Program.output(["janus-room", "call", dir, plugin, request])
    }

    func stop() { _ = try? Program.output(["janus-room", "stop", dir]) }
}
