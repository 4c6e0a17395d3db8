extension SessionDescription {
    /// The longest text that is read, in bytes. An offer of a room with 100 tracks has about 100 kB.
    package static let maximumLength = 1 << 20

    /// Reads a description. Lines may end with CRLF or LF; empty ones are skipped; the order of lines within the session
    /// and within a section is not enforced.
    package init(parsing text: String) throws(SDPError) {
        guard text.utf8.count <= Self.maximumLength else { throw SDPError(.tooLong, line: 1) }
        var origin: SDPOrigin?
        var hasVersion = false
        self.init(origin: SDPOrigin(sessionID: "0", sessionVersion: "0"), otherLines: [])
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            if line.isEmpty { continue }
            let characters = line.unicodeScalars
            guard characters.count >= 2, characters[characters.index(after: characters.startIndex)] == "=",
                let type = line.first, type.isASCII
            else { throw SDPError(.notTypeEqualsValue, line: number) }
            let value = String(characters.dropFirst(2))
            guard hasVersion || type == "v" else { throw SDPError(.versionMissing, line: number) }
            switch type {
            case "v":
                guard value == "0" else { throw SDPError(.unknownVersion, line: number) }
                hasVersion = true
            case "o": origin = try SDPOrigin(parsing: value, line: number)
            case "s": sessionName = value
            case "m": media.append(try MediaSection(parsing: value, line: number))
            case "a":
                let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let attribute = SDPAttribute(String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
                if media.isEmpty {
                    attributes.append(attribute)
                } else {
                    media[media.count - 1].attributes.append(attribute)
                }
            default:
                if media.isEmpty {
                    otherLines.append(SDPLine(type: type, value: value))
                } else {
                    media[media.count - 1].otherLines.append(SDPLine(type: type, value: value))
                }
            }
        }
        guard hasVersion else { throw SDPError(.empty, line: 1) }
        if let origin { self.origin = origin }
    }

    /// The description with CRLF after each line. What was parsed is written back line by line, but for the order of
    /// the lines of different types.
    package var text: String {
        var lines = [
            "v=0", "o=\(origin.username) \(origin.sessionID) \(origin.sessionVersion) \(origin.address)",
            "s=\(sessionName)",
        ]
        lines += otherLines.map(\.text) + attributes.map(\.text)
        for section in media {
            let formats = section.formats.joined(separator: " ")
            lines.append("m=\(section.kind) \(section.port) \(section.transportProtocol) \(formats)")
            lines += section.otherLines.map(\.text) + section.attributes.map(\.text)
        }
        return lines.joined(separator: "\r\n") + "\r\n"
    }
}

extension SDPOrigin {
    fileprivate init(parsing value: String, line: Int) throws(SDPError) {
        let words = value.split(separator: " ")
        guard words.count == 6 else { throw SDPError(.malformedOrigin, line: line) }
        self.init(
            username: String(words[0]), sessionID: String(words[1]), sessionVersion: String(words[2]),
            address: words[3...].joined(separator: " "))
    }
}

extension MediaSection {
    fileprivate init(parsing value: String, line: Int) throws(SDPError) {
        let words = value.split(separator: " ")
        guard words.count >= 4 else { throw SDPError(.malformedMedia, line: line) }
        // A number of ports may follow ("49170/2"); with ICE there is one transport whatever it says.
        guard let first = words[1].split(separator: "/").first, let port = UInt16(first) else {
            throw SDPError(.malformedPort, line: line)
        }
        self.init(
            kind: String(words[0]), port: port, transportProtocol: String(words[2]),
            formats: words[3...].map(String.init))
    }
}

extension SDPLine {
    fileprivate var text: String { "\(type)=\(value)" }
}

extension SDPAttribute {
    fileprivate var text: String { "a=\(name)" + (value.map { ":\($0)" } ?? "") }
}
