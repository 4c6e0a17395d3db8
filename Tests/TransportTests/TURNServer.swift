import CallbotTesting
import Glibc

/// A coturn on loopback, with the user `u` and the password `p`.
struct TURNServer {
    struct NotStarted: Error {}

    let port: UInt16
    private let process: ChildProcess
    private let folder: String

    init() throws {
        var template = Array("/tmp/callbot-turn.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw NotStarted() }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        port = UInt16.random(in: 20_000..<30_000)
        process = try ChildProcess([
            "turnserver", "-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", "--listening-port=\(port)",
            "--min-port=\(port + 1)", "--max-port=\(port + 200)", "--lt-cred-mech", "--user=u:p", "--realm=test",
            "--no-tls", "--no-dtls", "--no-cli", "--allow-loopback-peers", "--pidfile=\(folder)/pid",
            "--userdb=\(folder)/db", "--log-file=\(folder)/log", "--simple-log",
        ])
        for _ in 0..<250 where !isListening { usleep(20_000) }
        guard isListening else { throw NotStarted() }
    }

    func stop() {
        process.stop()
        for name in ["pid", "db", "log"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private var isListening: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
