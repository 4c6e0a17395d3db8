extension JSONParser {
    /// A string in the quotes that come next.
    mutating func parseString() throws(JSONError) -> String {
        let start = index
        let quote = bytes[index]
        index += 1
        var text: [UInt8] = []
        var runStart = index
        while true {
            guard let byte = next else { throw error("the string does not end", at: start) }
            switch byte {
            case quote:
                text += bytes[runStart..<index]
                index += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("the string is not valid UTF-8", at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                text += bytes[runStart..<index]
                try parseEscape(into: &text)
                runStart = index
            case 0x0A, 0x0D: throw error("the string does not end on its line", at: start)
            case 0..<0x20 where !isJSON5: throw error("a control character in a string must be escaped", at: index)
            default: index += 1
            }
        }
    }

    private mutating func parseEscape(into text: inout [UInt8]) throws(JSONError) {
        let start = index
        index += 1
        guard let byte = next else { throw error("the escape does not end", at: start) }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += try parseUnicodeEscape(from: start)
        case _ where !isJSON5: throw error("unknown escape", at: start)
        case UInt8(ascii: "v"): text.append(0x0B)
        case UInt8(ascii: "x"):
            text += Array(String(Character(Unicode.Scalar(UInt8(try hexDigits(2, from: start))))).utf8)
        case UInt8(ascii: "0"):
            if let digit = next, digit.isDigit { throw error("octal escapes are not allowed", at: start) }
            text.append(0)
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw error("octal escapes are not allowed", at: start)
        case 0x0A: break  // the line goes on: nothing of the break is in the string
        case 0x0D: _ = skip(0x0A)
        case 0xE2 where isLineOrParagraphSeparator(at: index - 1): index += 2
        default: text.append(byte)
        }
    }

    /// The four digits after `\u`, and the second half of a surrogate pair (RFC 8259 section 7). Half a pair is an
    /// error: it has no UTF-8.
    private mutating func parseUnicodeEscape(from start: Int) throws(JSONError) -> [UInt8] {
        var code = try hexDigits(4, from: start)
        if 0xD800..<0xDC00 ~= code {
            guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
                throw error("half a surrogate pair", at: start)
            }
            let low = try hexDigits(4, from: start)
            guard 0xDC00..<0xE000 ~= low else { throw error("half a surrogate pair", at: start) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair", at: start) }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func hexDigits(_ count: Int, from start: Int) throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<count {
            guard let digit = next?.hexDigitValue else {
                throw error("expected \(count) hexadecimal digits", at: start)
            }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }
}

extension UInt8 {
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// An ASCII letter, `_`, `$`, or a part of a character beyond ASCII.
    var isWordStart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
        default: false
        }
    }

    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
