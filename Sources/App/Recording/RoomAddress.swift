import MediaTypes

/// Where a room is: `janus+ws://host:port/path/ROOM` or `janus+wss://…`. It is the address of the server's WebSocket with
/// `janus+` before it and the room's id after it, percent-encoded where need be (RFC 3986).
package struct RoomAddress: Hashable, Sendable, CustomStringConvertible {
    package var isSecure: Bool
    /// A name or an address; an IPv6 address has no brackets here.
    package var host: String
    package var port: UInt16
    /// The WebSocket's path, `/` at least.
    package var path: String
    /// The room's id, decoded.
    package var room: String

    package init(isSecure: Bool, host: String, port: UInt16, path: String = "/", room: String) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.path = path
        self.room = room
    }

    /// Why a text is no room's address: a part of a sentence.
    package struct Malformed: Error, Hashable, Sendable {
        package var reason: String
    }

    package init(_ text: String) throws(Malformed) {
        let (isSecure, rest) = try Self.scheme(of: text)
        guard let slash = rest.firstIndex(of: "/") else { throw Malformed(reason: "it names no room: add /ROOM") }
        let server = try Self.authority(rest[..<slash])
        let whole = rest[slash...]
        guard !whole.contains("?"), !whole.contains("#") else {
            throw Malformed(reason: "it must not have '?' or '#': write %3F or %23 in a room's name")
        }
        let roomStart = whole.lastIndex(of: "/").map(whole.index(after:)) ?? whole.startIndex
        guard let room = percentDecoded(whole[roomStart...]), !room.isEmpty else {
            throw Malformed(reason: "it names no room: add /ROOM")
        }
        guard whole.unicodeScalars.allSatisfy({ $0 > " " && $0 != "\u{7f}" }) else {
            throw Malformed(reason: "it must not have spaces or control characters")
        }
        let path = whole[..<roomStart]
        self.init(
            isSecure: isSecure, host: server.host, port: server.port ?? (isSecure ? 443 : 80),
            path: path.count > 1 ? String(path.dropLast()) : "/", room: room)
    }

    /// The address of the server's WebSocket.
    package var server: String {
        "\(isSecure ? "wss" : "ws")://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
    }

    /// The whole address, as it can be given again.
    package var description: String {
        "janus+\(server)\(path == "/" ? "" : "/")\(percentEncoded(room))"
    }

    private static func scheme(of text: String) throws(Malformed) -> (isSecure: Bool, rest: Substring) {
        guard let end = text.firstIndex(of: ":"), text[end...].hasPrefix("://") else {
            throw Malformed(reason: "it must begin with janus+ws:// or janus+wss://")
        }
        let rest = text[end...].dropFirst(3)
        switch text[..<end].lowercased() {
        case "janus+ws": return (false, rest)
        case "janus+wss": return (true, rest)
        case "ws", "wss":
            throw Malformed(reason: "it must begin with janus+ws:// or janus+wss://: put janus+ before it")
        default: throw Malformed(reason: "it must begin with janus+ws:// or janus+wss://")
        }
    }

    private static func authority(_ text: Substring) throws(Malformed) -> HostAndPort {
        guard !text.contains("@") else {
            throw Malformed(reason: "it must not have a user or password: see --token and --apisecret")
        }
        do {
            return try HostAndPort(text)
        } catch {
            switch error {
            case .bracketMissing: throw Malformed(reason: "a ']' is missing after the address")
            case .noHost: throw Malformed(reason: "it names no server")
            case .invalidPort:
                throw Malformed(
                    reason: "the port must be a number from 1 to 65535 (an IPv6 address stands in [brackets])")
            }
        }
    }
}

/// RFC 3986 section 2.1; nil when an escape is broken or the bytes are not UTF-8.
private func percentDecoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        let digits = rest.prefix(2)
        guard digits.count == 2, let text = String(digits), let value = UInt8(text, radix: 16), !text.hasPrefix("+")
        else {
            return nil
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
}

/// Everything escaped but the unreserved characters (RFC 3986 section 2.3).
private func percentEncoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            encoded.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
    }
}
