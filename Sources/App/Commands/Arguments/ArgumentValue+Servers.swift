import MediaTypes
package import Recording
import RoomClient

/// `stun:host:port`, where `stun:` and the port (3478) may be left out (RFC 7064).
extension NetworkChoice.STUNServer: ArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Self {
        guard let (host, port) = hostAndPort(text.suffix(after: "stun:") ?? text, defaultPort: 3478) else {
            throw InvalidValue("must be HOST:PORT, such as stun.example.org:3478")
        }
        return Self(host: host, port: port)
    }
}

/// `turn:host:port,user,password` or `turns:…`, with `?transport=udp` or `tcp` after the port (RFC 7065). The password
/// may be `env:NAME` or `file:PATH`.
extension NetworkChoice.TURNServer: ArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Self {
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[1].isEmpty else { throw malformed }
        let isTLS = parts[0].hasPrefix("turns:")
        let address = parts[0].suffix(after: "turns:") ?? parts[0].suffix(after: "turn:") ?? parts[0]
        let pieces = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let (host, port) = hostAndPort(pieces[0], defaultPort: isTLS ? 5349 : 3478) else { throw malformed }
        let relay: RoomClient.Configuration.Relay
        switch (pieces.count == 2 ? pieces[1] : nil, isTLS) {
        case (nil, true), ("transport=tcp", true): relay = .tls
        case (nil, false), ("transport=udp", false): relay = .udp
        case ("transport=tcp", false): relay = .tcp
        default: throw malformed
        }
        return Self(
            host: host, port: port, relay: relay, user: parts[1], password: try Secret.parse(parts[2], in: environment))
    }

    /// Whether the password itself stands in the text.
    static func isLiteral(_ text: String) -> Bool {
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && Secret.isLiteral(String(parts[2]))
    }

    private static var malformed: InvalidValue {
        InvalidValue("must be turn:HOST:PORT,USER,PASSWORD, such as turn:turn.example.org:3478,bot,env:TURN_PASSWORD")
    }
}

/// Nil too when the host has characters that no server's name has.
private func hostAndPort(_ text: String, defaultPort: UInt16) -> (host: String, port: UInt16)? {
    guard let server = try? HostAndPort(text[...]) else { return nil }
    let isName = server.host.utf8.allSatisfy {
        $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "[")
    }
    return isName ? (server.host, server.port ?? defaultPort) : nil
}
