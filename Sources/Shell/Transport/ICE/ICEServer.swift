import MediaTypes

/// A STUN or TURN server that helps to find a way to the peer (RFC 7064, RFC 7065).
package struct ICEServer: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Tells us how we are seen from outside.
        case stun
        /// Relays for us; we speak to it in this way.
        case turn(RelayTransport)
    }

    package enum RelayTransport: Hashable, Sendable { case udp, tcp, tls }

    package let kind: Kind
    package let host: String
    package let port: UInt16
    package let username: String
    package let password: String

    package init(kind: Kind, host: String, port: UInt16, username: String = "", password: String = "") {
        self.kind = kind
        self.host = host
        self.port = port
        self.username = username
        self.password = password
    }

    /// From `stun:host[:port]`, `turn:host[:port][?transport=udp|tcp]` or `turns:host[:port]`; an IPv6 address stands in brackets.
    /// Nil for anything else.
    package init?(url: String, username: String = "", password: String = "") {
        guard let colon = url.firstIndex(of: ":") else { return nil }
        let scheme = url[..<colon].lowercased()
        let rest = url[url.index(after: colon)...].split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = rest.count > 1 ? rest[1].lowercased() : ""
        switch (scheme, query) {
        case ("stun", ""): kind = .stun
        case ("turn", ""), ("turn", "transport=udp"): kind = .turn(.udp)
        case ("turn", "transport=tcp"): kind = .turn(.tcp)
        case ("turns", ""), ("turns", "transport=tcp"): kind = .turn(.tls)
        default: return nil
        }
        guard let authority = try? HostAndPort(rest[0]) else { return nil }
        host = authority.host
        port = authority.port ?? (kind == .turn(.tls) ? 5349 : 3478)
        self.username = username
        self.password = password
    }

    /// Whether the server is on this machine, by its address or by the name `localhost`.
    var isLoopback: Bool { host == "localhost" || isLoopbackAddress(host) }
}

/// Whether a numeric address is one of this machine's own (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
func isLoopbackAddress(_ address: some StringProtocol) -> Bool { address.hasPrefix("127.") || address == "::1" }
