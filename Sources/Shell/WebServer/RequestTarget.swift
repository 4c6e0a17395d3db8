/// Takes a request's path and query apart (RFC 3986), and refuses what could be read in two ways.
enum RequestTarget {
    /// The segments of an encoded path as `Request.path` has them; nil for a path that is not to be served.
    static func segments(of path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        for part in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = decoded(part, plusIsSpace: false), isSafe(segment) else { return nil }
            segments.append(segment)
        }
        // An empty segment in the middle is a name for what another path names, too.
        guard segments.dropLast().allSatisfy({ !$0.isEmpty }) else { return nil }
        return segments
    }

    /// What an encoded query says; nil when it is not well-formed.
    static func query(_ query: String) -> [QueryItem]? {
        var items: [QueryItem] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? decoded(sides[1], plusIsSpace: true) : ""
            else { return nil }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }

    private static func isSafe(_ segment: String) -> Bool {
        segment != "." && segment != ".."
            && segment.unicodeScalars.allSatisfy {
                $0 != "/" && $0 != "\\" && $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value)
            }
    }

    /// Once, and only what is UTF-8 then.
    private static func decoded(_ part: Substring.UTF8View, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
