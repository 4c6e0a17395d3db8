extension JSONValue: CustomStringConvertible {
    /// On one line, without spaces: as it goes over the wire and into JSON lines.
    package var compact: String { String(decoding: compactUTF8, as: UTF8.self) }

    /// The same as bytes.
    package var compactUTF8: [UInt8] {
        var writer = JSONWriter(isPretty: false)
        writer.write(self, indentation: 0)
        return writer.bytes
    }

    /// For people: two spaces a level, one member a line, a line feed at the end.
    package var pretty: String {
        var writer = JSONWriter(isPretty: true)
        writer.write(self, indentation: 0)
        return String(decoding: writer.bytes + [0x0A], as: UTF8.self)
    }

    package var description: String { compact }
}

/// Writes strict JSON (RFC 8259): only what must be escaped is, and a number that JSON cannot say is null.
struct JSONWriter {
    let isPretty: Bool
    var bytes: [UInt8] = []

    mutating func write(_ value: JSONValue, indentation: Int) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .integer(let integer): bytes += String(integer).utf8
        case .unsigned(let unsigned): bytes += String(unsigned).utf8
        case .number(let number): bytes += (number.isFinite ? number.description : "null").utf8
        case .string(let string): write(string)
        case .array(let elements):
            writeList("[", "]", elements, indentation) { writer, element in
                writer.write(element, indentation: indentation + 1)
            }
        case .object(let object):
            writeList("{", "}", object.members, indentation) { writer, member in
                writer.write(member.key)
                writer.bytes += (writer.isPretty ? ": " : ":").utf8
                writer.write(member.value, indentation: indentation + 1)
            }
        }
    }

    private mutating func writeList<Element>(
        _ open: String, _ close: String, _ elements: [Element], _ indentation: Int,
        _ writeElement: (inout Self, Element) -> Void
    ) {
        bytes += open.utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(indentation + 1)
            writeElement(&self, element)
        }
        if !elements.isEmpty { breakLine(indentation) }
        bytes += close.utf8
    }

    mutating func breakLine(_ indentation: Int) {
        guard isPretty else { return }
        bytes.append(0x0A)
        bytes += repeatElement(0x20, count: 2 * indentation)
    }

    mutating func write(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += (digits.utf8.count == 1 ? #"\u000"# : #"\u00"#).utf8
                bytes += digits.utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
