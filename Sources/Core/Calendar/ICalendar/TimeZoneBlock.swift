import MediaTypes

/// A VTIMEZONE: a zone that a calendar brings along.
struct TimeZoneBlock {
    let line: Int
    var id = ""
    /// The properties of each STANDARD and DAYLIGHT.
    var observances: [[ContentLine]] = []

    init(line: Int) { self.line = line }

    /// Changes are worked out until then; who plans further ahead takes a zone of the database.
    private static let end = CivilDate(checkedYear: 2101, month: 1, day: 1).dayNumber * 86_400

    /// The zone's changes of the clock, of which each observance says the times.
    /// Takes from the budget what is looked at for it.
    func rules(budget: inout Int) throws(ICalendarError) -> TransitionTable {
        var changes: [TransitionTable.Change] = []
        var firstOffset: (onset: Int, offset: Int)?
        for observance in observances.prefix(1000) {
            let (onsets, from, to) = try Self.onsets(observance, line, &budget)
            for onset in onsets { changes.append(.init(instant: onset - from, offset: to)) }
            if let first = onsets.min(), firstOffset.map({ first < $0.onset }) ?? true { firstOffset = (first, from) }
            guard changes.count <= ICalendar.Limits.listedTimes else {
                throw ICalendarError(
                    line: line, "the time zone '\(id.quotable)' has more than \(ICalendar.Limits.listedTimes) changes")
            }
        }
        guard let firstOffset else {
            throw ICalendarError(line: line, "the time zone '\(id.quotable)' has neither STANDARD nor DAYLIGHT")
        }
        // A zone without any change is what its one observance says.
        let offset = changes.count == 1 ? changes[0].offset : firstOffset.offset
        return TransitionTable(name: id, firstOffset: offset, changes: changes)
    }

    /// When an observance begins, by the clock as it was until then, and the offsets before and after.
    private static func onsets(
        _ properties: [ContentLine], _ line: Int, _ budget: inout Int
    ) throws(ICalendarError) -> (onsets: [Int], from: Int, to: Int) {
        func required(_ name: String) throws(ICalendarError) -> ContentLine {
            guard let property = properties.first(where: { $0.name == name }) else {
                throw ICalendarError(line: line, "a part of the time zone has no \(name)")
            }
            return property
        }
        func offset(_ name: String) throws(ICalendarError) -> Int {
            let property = try required(name)
            guard let seconds = Self.offset(property.value) else {
                throw ICalendarError(
                    line: property.number, "\(name) is '\(property.value.quotable)', it must be such as +0100")
            }
            return seconds
        }
        let from = try offset("TZOFFSETFROM")
        let to = try offset("TZOFFSETTO")
        let startLine = try required("DTSTART")
        guard let start = EventTime(startLine.value) else {
            throw ICalendarError(line: startLine.number, "DTSTART is '\(startLine.value.quotable)', it must be a time")
        }
        var onsets = [start.clock.clockSeconds]
        for property in properties where property.name == "RDATE" {
            onsets += property.value.split(separator: ",").compactMap { EventTime($0)?.clock.clockSeconds }
        }
        for property in properties where property.name == "RRULE" {
            let rule: RecurrenceRule
            do { rule = try RecurrenceRule(property.value) } catch {
                throw ICalendarError(line: property.number, "RRULE: \(error)")
            }
            var last = Self.end
            if case .until(let until) = rule.end {
                last = min(last, until.clock.clockSeconds + (until.place == .utc ? from : 0))
            }
            var expansion = RecurrenceExpansion(rule, start: start.clock, from: nil, until: last)
            budget -= expansion.cost
            while onsets.count <= 2000, let onset = expansion.next(budget: &budget) { onsets.append(onset) }
        }
        return (onsets, from, to)
    }

    /// `+0100`, `-023000`, in seconds.
    private static func offset(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard [5, 7].contains(bytes.count), bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes.dropFirst().allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        func number(_ index: Int) -> Int {
            guard index < bytes.count else { return 0 }
            return Int(bytes[index] - UInt8(ascii: "0")) * 10 + Int(bytes[index + 1] - UInt8(ascii: "0"))
        }
        guard number(1) < 24, number(3) < 60, number(5) < 60 else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (number(1) * 3600 + number(3) * 60 + number(5))
    }
}
