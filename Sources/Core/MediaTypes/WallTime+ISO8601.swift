extension WallTime {
    /// Reads ISO 8601 in UTC as `iso8601` writes it, with or without a fraction of a second of any length.
    package init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        func digits(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[range] {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"),
            [4, 7].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }), bytes[10] == UInt8(ascii: "T"),
            [13, 16].allSatisfy({ bytes[$0] == UInt8(ascii: ":") }),
            let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10), 1...12 ~= month,
            1...31 ~= day,
            let hour = digits(11..<13), let minute = digits(14..<16), let second = digits(17..<19),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction: Int64 = 0
        let fractionDigits = bytes[19..<bytes.count - 1]
        if !fractionDigits.isEmpty {
            guard bytes[19] == UInt8(ascii: "."), fractionDigits.count > 1 else { return nil }
            for index in 0..<6 {
                let digit = 20 + index < bytes.count - 1 ? digits(20 + index..<21 + index) : 0
                guard let digit else { return nil }
                fraction = fraction * 10 + digit
            }
        }
        // Days since 1970-01-01: years begin in March, so that the leap day is the last of its year.
        let shiftedYear = month > 2 ? year : year - 1
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        microseconds = (days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000 + fraction
    }
}
