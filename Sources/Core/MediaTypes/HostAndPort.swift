/// A server as it stands in an address: `host`, `host:port` or `[2001:db8::1]:port` (RFC 3986 section 3.2.2).
package struct HostAndPort: Hashable, Sendable {
    /// A name or an address; an IPv6 address has no brackets here. Any characters: which ones it may have is not looked at.
    package var host: String
    /// 1...65535; nil when it is left out.
    package var port: UInt16?

    package enum Malformed: Error, Hashable, Sendable {
        /// A `[` without its `]`.
        case bracketMissing
        case noHost
        /// Something follows the host that is not a colon with a port after it.
        case invalidPort
    }

    package init(_ text: Substring) throws(Malformed) {
        let name: Substring
        let tail: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .bracketMissing }
            name = text[text.index(after: text.startIndex)..<end]
            tail = text[text.index(after: end)...]
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            name = text[..<end]
            tail = text[end...]
        }
        guard !name.isEmpty else { throw .noHost }
        host = String(name)
        guard !tail.isEmpty else { return }
        guard tail.hasPrefix(":"), let port = UInt16(tail.dropFirst()), port > 0 else { throw .invalidPort }
        self.port = port
    }
}
