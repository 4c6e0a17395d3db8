extension RecurrenceRule {
    /// More than any rule that a person meant.
    private static let longestInterval = 100_000
    private static let largestCount = 100_000

    /// Parses `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10`. Parts that are not of RFC 5545 are an error: without them, the rule
    /// would mean something else.
    package init(_ text: String) throws(Invalid) {
        guard text.utf8.count <= 10_000 else { throw Invalid("the rule is longer than 10000 characters") }
        var parts: [String: Substring] = [:]
        for part in text.split(separator: ";") {
            guard let equals = part.firstIndex(of: "=") else {
                throw Invalid("'\(part.quotable)' in the rule has no =")
            }
            let name = part[..<equals].uppercased()
            let value = part[part.index(after: equals)...]
            guard parts.updateValue(value, forKey: name) == nil else { throw Invalid("\(name.quotable) stands twice") }
        }
        guard let name = parts.removeValue(forKey: "FREQ") else { throw Invalid("the rule has no FREQ") }
        let frequencies: [String: Frequency] = [
            "SECONDLY": .secondly, "MINUTELY": .minutely, "HOURLY": .hourly, "DAILY": .daily, "WEEKLY": .weekly,
            "MONTHLY": .monthly, "YEARLY": .yearly,
        ]
        guard let frequency = frequencies[name.uppercased()] else {
            throw Invalid(
                "FREQ is '\(name.quotable)', it must be YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY or SECONDLY")
        }
        self.frequency = frequency
        // In a known order, so that of several mistakes it is always the same that is named.
        for (name, value) in parts.sorted(by: { $0.key < $1.key }) { try read(name, value) }
        try check()
    }

    private mutating func read(_ name: String, _ value: Substring) throws(Invalid) {
        switch name {
        case "INTERVAL": interval = try Self.number(value, name, 1...Self.longestInterval)
        case "COUNT":
            guard end == .never else { throw Invalid("the rule has COUNT and UNTIL") }
            end = .count(try Self.number(value, name, 1...Self.largestCount))
        case "UNTIL":
            guard end == .never else { throw Invalid("the rule has COUNT and UNTIL") }
            guard let time = EventTime(value) else {
                throw Invalid(
                    "UNTIL is '\(value.quotable)', it must be a time such as 20261231T225959Z or a day such as 20261231"
                )
            }
            end = .until(time)
        case "BYSECOND": bySecond = try Self.numbers(value, name, 0...60)
        case "BYMINUTE": byMinute = try Self.numbers(value, name, 0...59)
        case "BYHOUR": byHour = try Self.numbers(value, name, 0...23)
        case "BYMONTHDAY": byMonthDay = try Self.numbers(value, name, 1...31, orNegative: true)
        case "BYYEARDAY": byYearDay = try Self.numbers(value, name, 1...366, orNegative: true)
        case "BYWEEKNO": byWeekNumber = try Self.numbers(value, name, 1...53, orNegative: true)
        case "BYMONTH": byMonth = try Self.numbers(value, name, 1...12)
        case "BYSETPOS": bySetPosition = try Self.numbers(value, name, 1...366, orNegative: true)
        case "WKST":
            guard let weekday = Weekday(iCalendar: value) else {
                throw Invalid("WKST is '\(value.quotable)', it must be SU, MO, TU, WE, TH, FR or SA")
            }
            weekStart = weekday
        case "BYDAY":
            for part in value.split(separator: ",", omittingEmptySubsequences: false) {
                byDay.append(try Self.weekday(part))
            }
            guard byDay.count <= 100 else { throw Invalid("BYDAY has more than 100 days") }
        default:
            // Extensions begin with X-; all others would change what the rule means.
            guard name.hasPrefix("X-") else {
                throw Invalid("the rule has the part \(name.quotable), which is not known")
            }
        }
    }

    private func check() throws(Invalid) {
        guard frequency >= .monthly || byDay.allSatisfy({ $0.ordinal == nil }) else {
            throw Invalid("BYDAY has numbers, which it must only in monthly and yearly rules")
        }
        guard byWeekNumber.isEmpty || frequency == .yearly else {
            throw Invalid("BYWEEKNO stands in a rule that is not yearly")
        }
        guard byWeekNumber.isEmpty || byDay.allSatisfy({ $0.ordinal == nil }) else {
            throw Invalid("BYDAY has numbers beside BYWEEKNO")
        }
    }

    private static func weekday(_ part: Substring) throws(Invalid) -> WeekdayRule {
        let fault = Invalid("BYDAY has '\(part.quotable)', it must be days such as MO, 2MO or -1FR")
        guard let weekday = Weekday(iCalendar: part.suffix(2)) else { throw fault }
        let digits = part.dropLast(2)
        guard !digits.isEmpty else { return WeekdayRule(ordinal: nil, weekday: weekday) }
        guard let ordinal = integer(digits), 1...53 ~= abs(ordinal) else { throw fault }
        return WeekdayRule(ordinal: ordinal, weekday: weekday)
    }

    private static func numbers(
        _ value: Substring, _ name: String, _ range: ClosedRange<Int>, orNegative: Bool = false
    ) throws(Invalid) -> [Int] {
        var numbers: Set<Int> = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = integer(part), range.contains(number) || orNegative && range.contains(-number) else {
                let either = orNegative ? " or -\(range.upperBound) to -\(range.lowerBound)" : ""
                throw Invalid(
                    "\(name) has '\(part.quotable)', it must be \(range.lowerBound) to \(range.upperBound)\(either)")
            }
            numbers.insert(number)
        }
        return numbers.sorted()
    }

    private static func number(_ value: Substring, _ name: String, _ range: ClosedRange<Int>) throws(Invalid) -> Int {
        guard let number = integer(value), range.contains(number) else {
            throw Invalid("\(name) is '\(value.quotable)', it must be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func integer(_ text: Substring) -> Int? { text.utf8.count <= 8 ? Int(text) : nil }
}
