extension JSONParser {
    /// A number; whole ones without fraction and exponent stay exact up to 64 bits.
    mutating func parseNumber() throws(JSONError) -> JSONValue {
        let start = index
        let isNegative = skip(UInt8(ascii: "-"))
        if !isNegative { _ = skip(UInt8(ascii: "+")) }
        if isJSON5, next == UInt8(ascii: "I") || next == UInt8(ascii: "N") {
            throw error("a number must be finite", at: start)
        }
        if isJSON5, next == UInt8(ascii: "0"), (byte(at: index + 1) ?? 0) | 0x20 == UInt8(ascii: "x") {
            return try parseHexadecimal(isNegative: isNegative, from: start)
        }
        let digitsStart = index
        let wholeDigits = scanDigits()
        if wholeDigits > 1, bytes[digitsStart] == UInt8(ascii: "0") {
            throw error("a number must not begin with 0", at: start)
        }
        var isWhole = true
        var fractionDigits = 0
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            fractionDigits = scanDigits()
            if fractionDigits == 0, !isJSON5 { throw unexpected(expected: "a digit") }
        }
        guard wholeDigits > 0 || (isJSON5 && fractionDigits > 0) else { throw unexpected(expected: "a digit") }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isWhole = false
            if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
            guard scanDigits() > 0 else { throw unexpected(expected: "a digit") }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole {
            if let integer = Int64(text) { return .integer(integer) }
            if let unsigned = UInt64(text) { return .unsigned(unsigned) }
        }
        guard let number = Double(text), number.isFinite else { throw error("the number is too large", at: start) }
        return .number(number)
    }

    /// Steps over digits and says how many there were.
    private mutating func scanDigits() -> Int {
        let start = index
        while let byte = next, byte.isDigit { index += 1 }
        return index - start
    }

    private mutating func parseHexadecimal(isNegative: Bool, from start: Int) throws(JSONError) -> JSONValue {
        index += 2
        var magnitude: UInt64 = 0
        var digits = 0
        while let digit = next?.hexDigitValue {
            guard magnitude >> 60 == 0 else { throw error("the number is too large", at: start) }
            magnitude = magnitude << 4 | UInt64(digit)
            digits += 1
            index += 1
        }
        guard digits > 0 else { throw unexpected(expected: "a hexadecimal digit") }
        guard isNegative else { return JSONValue(magnitude) }
        guard magnitude <= UInt64(Int64.max) else { throw error("the number is too large", at: start) }
        return .integer(-Int64(magnitude))
    }
}
