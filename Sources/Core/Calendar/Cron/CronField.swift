/// One of the five fields: what may stand in it and how it is read. Texts are in capital letters here.
struct CronField: Sendable {
    let name: String
    let range: ClosedRange<Int>
    let names: [String]
    /// What an error says is allowed.
    let allowed: String

    static let minute = CronField(name: "minute", range: 0...59, names: [], allowed: "0 to 59")
    static let hour = CronField(name: "hour", range: 0...23, names: [], allowed: "0 to 23")
    static let dayOfMonth = CronField(
        name: "day of the month", range: 1...31, names: [], allowed: "1 to 31, L, L-3, LW or 15W")
    static let month = CronField(
        name: "month", range: 1...12,
        names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
        allowed: "1 to 12 or JAN to DEC")
    static let dayOfWeek = CronField(
        name: "day of the week", range: 0...7, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
        allowed: "0 to 7 (0 and 7 are Sunday), SUN to SAT, 5L or FRI#2")

    static let order = "minute, hour, day of the month, month, day of the week"

    private var isDayOfWeek: Bool { range.upperBound == 7 }
    private var isOfDays: Bool { isDayOfWeek || range.upperBound == 31 }

    /// The numbers of a field without special days, as bits.
    func mask(_ text: String) throws(CronError) -> UInt64 { try days(text).plain }

    /// The numbers of a field as bits, and its special days if it is one of days.
    func days(_ text: String) throws(CronError) -> CronDays.Field {
        var field = CronDays.Field()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard !part.isEmpty else { throw error(text, "has an empty place in its list") }
            if let special = try special(part) {
                field.special.append(special)
            } else {
                field.plain |= try numbers(part)
            }
        }
        // Sunday is 0 and 7.
        if isDayOfWeek { field.plain = (field.plain | field.plain >> 7) & 0x7F }
        return field
    }

    /// `*`, `5`, `8-18`, `*/15`, `8-18/2`, `5/10`
    private func numbers(_ part: Substring) throws(CronError) -> UInt64 {
        let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count <= 2 else { throw error(part, "has more than one step") }
        var step = 1
        if pieces.count == 2 {
            guard let number = Self.number(pieces[1]), 1...range.upperBound ~= number else {
                throw error(part, "has the step '\(pieces[1].quotable)', which must be 1 to \(range.upperBound)")
            }
            step = number
        }
        var last = range.upperBound
        let first: Int
        let ends = pieces[0].split(separator: "-", omittingEmptySubsequences: false)
        if pieces[0] == "*" || (pieces[0] == "?" && isOfDays) {
            first = range.lowerBound
            if isDayOfWeek { last = 6 }
        } else if ends.count == 2 {
            first = try value(ends[0], of: part)
            last = try value(ends[1], of: part)
            // SAT-SUN is a weekend, not the whole week backwards.
            if isDayOfWeek, last == 0, first > 0 { last = 7 }
            guard first <= last else {
                let whole = isDayOfWeek ? 6 : range.upperBound
                throw error(
                    part, "begins after its end: write \(first)-\(whole),\(range.lowerBound)-\(last)")
            }
        } else {
            first = try value(pieces[0], of: part)
            if pieces.count == 1 { last = first }
            // A step through the week does not come to a second Sunday.
            if pieces.count == 2, isDayOfWeek, first < 7 { last = 6 }
        }
        return stride(from: first, through: last, by: step).reduce(0) { $0 | 1 << UInt64($1) }
    }

    private func special(_ part: Substring) throws(CronError) -> CronDays.Special? {
        if isDayOfWeek {
            if let mark = part.firstIndex(of: "#") {
                let weekday = try weekday(part[..<mark], of: part)
                guard let ordinal = Self.number(part[part.index(after: mark)...]), 1...5 ~= ordinal else {
                    throw error(part, "must have 1 to 5 after the #")
                }
                return .ordinal(ordinal, weekday)
            }
            guard part.hasSuffix("L") else { return nil }
            guard part != "L" else {
                throw error(part, "says no day: 6L is the last Saturday of the month, SAT every Saturday")
            }
            return .last(try weekday(part.dropLast(), of: part))
        }
        guard isOfDays else { return nil }
        if part == "L" { return .beforeLast(0) }
        if part == "LW" || part == "WL" { return .lastWorkingDay }
        if part.hasPrefix("L-") {
            guard let days = Self.number(part.dropFirst(2)), 1...30 ~= days else {
                throw error(part, "must have 1 to 30 after L-")
            }
            return .beforeLast(days)
        }
        guard part.hasSuffix("W") else { return nil }
        guard let day = Self.number(part.dropLast()), range.contains(day) else {
            throw error(part, "must have 1 to 31 or L before the W")
        }
        return .workingDay(nearest: day)
    }

    private func weekday(_ text: Substring, of part: Substring) throws(CronError) -> Weekday {
        Weekday(rawValue: try value(text, of: part) % 7) ?? .sunday
    }

    private func value(_ text: Substring, of part: Substring) throws(CronError) -> Int {
        if let index = names.firstIndex(of: String(text)) { return index + range.lowerBound }
        guard let number = Self.number(text), range.contains(number) else {
            throw error(part, "must be \(allowed), a list, a range such as \(example), or a step such as */2")
        }
        return number
    }

    private var example: String { names.isEmpty ? "2-5" : "\(names[1])-\(names[4])" }

    private func error(_ text: some StringProtocol, _ what: String) -> CronError {
        CronError("the \(name) '\(text.quotable)' \(what)")
    }

    /// One to three digits.
    private static func number(_ text: Substring) -> Int? {
        guard 1...3 ~= text.utf8.count, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return Int(text)
    }
}
