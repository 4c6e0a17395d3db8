import MediaTypes

/// A DATE or DATE-TIME of RFC 5545: what a clock shows, and whose clock it is.
package struct EventTime: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// Wherever the reader is.
        case floating
        case utc
        /// A name of TZID.
        case zone(String)
    }

    package let clock: CivilDateTime
    package let place: Place
    /// A day without a time; its clock shows midnight.
    package let isDate: Bool

    /// `19970902`, `19970902T090000` or `19970902T090000Z`; nil for anything else. A zone that is named is not used
    /// where UTC is written, nor for days.
    init?(_ text: some StringProtocol, zone: String? = nil) {
        let bytes = Array(text.utf8.prefix(17))
        guard [8, 15, 16].contains(bytes.count), bytes.count < 15 || bytes[8] | 0x20 == UInt8(ascii: "t"),
            bytes.count < 16 || bytes[15] | 0x20 == UInt8(ascii: "z")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), year > 0,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        isDate = bytes.count == 8
        if isDate {
            guard let midnight = CivilDateTime(date) else { return nil }
            clock = midnight
            place = .floating
        } else {
            // A leap second is taken for the one before it.
            guard let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15), second <= 60,
                let time = CivilDateTime(date, hour: hour, minute: minute, second: min(second, 59))
            else { return nil }
            clock = time
            place = bytes.count == 16 ? .utc : zone.map(Place.zone) ?? .floating
        }
    }
}

/// How long an event is: days are as long as the clocks make them, seconds are exact.
package struct EventLength: Hashable, Sendable {
    package var days = 0
    package var seconds = 0

    init(days: Int = 0, seconds: Int = 0) {
        self.days = days
        self.seconds = seconds
    }

    /// A DURATION of RFC 5545 that is not negative: `P1DT2H30M`, `P2W`. Nil for anything else, and for more than ten
    /// years.
    init?(_ text: some StringProtocol) {
        var rest = Substring(text.uppercased())
        if rest.first == "+" { rest = rest.dropFirst() }
        guard rest.first == "P", rest.utf8.count <= 40 else { return nil }
        rest = rest.dropFirst()
        var isTime = false
        var parts = 0
        while let first = rest.first {
            if first == "T" {
                guard !isTime, rest.count > 1 else { return nil }
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix(while: \.isASCIIDigit)
            guard let count = Int(digits), digits.count <= 9, let unit = rest.dropFirst(digits.count).first else {
                return nil
            }
            switch (unit, isTime) {
            case ("W", false): days += 7 * count
            case ("D", false): days += count
            case ("H", true): seconds += 3600 * count
            case ("M", true): seconds += 60 * count
            case ("S", true): seconds += count
            default: return nil
            }
            parts += 1
            rest = rest.dropFirst(digits.count + 1)
        }
        guard parts > 0, days <= 3660, seconds <= 3660 * 86_400 else { return nil }
    }
}
