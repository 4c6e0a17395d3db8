extension ICalendar {
    /// Reads a calendar. Zones are looked up by their names in the IANA database; where that does not know one,
    /// Windows' names are translated, and then the calendar's own VTIMEZONE is taken.
    package init(
        parsing bytes: [UInt8], zones lookup: (String) -> (any TimeZoneRules)?
    ) throws(ICalendarError) {
        guard bytes.count <= Limits.bytes else {
            throw ICalendarError(line: 1, "the calendar is larger than \(Limits.bytes >> 20) MB")
        }
        var reader = CalendarReader()
        for (text, number) in try ContentLine.unfold(bytes, maximumLength: Limits.lineBytes) {
            try reader.read(text, at: number)
        }
        try reader.finish()
        var directory = ZoneDirectory(blocks: reader.timeZones)
        var events: [CalendarEvent] = []
        for properties in reader.events {
            do {
                let event = try CalendarEvent(properties) { directory.resolve($0, lookup) }
                events.append(event)
            } catch { reader.note(error) }
        }
        for problem in directory.problems { reader.note(problem) }
        name = reader.name
        ownZone = reader.zoneName.flatMap { directory.resolve($0, lookup) ? directory.zones[$0] : nil }
        self.events = events
        problems = reader.problems.sorted { $0.line < $1.line }
        zones = directory.zones
    }
}

/// Takes a calendar apart into its components.
private struct CalendarReader {
    private var stack: [(name: String, line: Int)] = []
    private var hasCalendar = false
    private var lastLine = 1
    private(set) var name: String?
    private(set) var zoneName: String?
    private(set) var events: [EventProperties] = []
    private(set) var timeZones: [TimeZoneBlock] = []
    private(set) var problems: [ICalendarError] = []

    mutating func note(_ problem: ICalendarError) {
        if problems.count < ICalendar.Limits.problems { problems.append(problem) }
    }

    mutating func read(_ text: String, at number: Int) throws(ICalendarError) {
        lastLine = number
        guard let line = ContentLine(text, number: number) else {
            guard hasCalendar else { throw notACalendar(number) }
            return note(
                ICalendarError(line: number, "'\(text.quotable)' is no property: it has no colon after its name"))
        }
        switch line.name {
        case "BEGIN": try begin(line)
        case "END": try end(line)
        default:
            guard let component = stack.last?.name else {
                guard hasCalendar else { throw notACalendar(number) }
                return note(ICalendarError(line: number, "\(line.name.quotable) stands outside of the calendar"))
            }
            take(line, in: component)
        }
    }

    private var isInTimeZone: Bool { stack.count > 1 && stack[1].name == "VTIMEZONE" }

    func finish() throws(ICalendarError) {
        guard hasCalendar else { throw notACalendar(1) }
        if let open = stack.last {
            throw ICalendarError(
                line: lastLine, "the calendar ends within the \(open.name.quotable) that begins in line \(open.line)")
        }
    }

    private func notACalendar(_ line: Int) -> ICalendarError {
        ICalendarError(line: line, "this is no calendar: it does not begin with BEGIN:VCALENDAR")
    }

    private mutating func begin(_ line: ContentLine) throws(ICalendarError) {
        let name = line.value.uppercased()
        if stack.isEmpty {
            guard name == "VCALENDAR" else { throw notACalendar(line.number) }
            hasCalendar = true
        }
        guard stack.count < ICalendar.Limits.depth else {
            throw ICalendarError(line: line.number, "more than \(ICalendar.Limits.depth) components within each other")
        }
        // Only what stands in its right place is read; the same names may stand anywhere.
        switch (stack.count, name) {
        case (1, "VEVENT"):
            guard events.count < ICalendar.Limits.events else {
                throw ICalendarError(line: line.number, "the calendar has more than \(ICalendar.Limits.events) events")
            }
            events.append(EventProperties(line: line.number))
        case (1, "VTIMEZONE"):
            guard timeZones.count < ICalendar.Limits.timeZones else {
                throw ICalendarError(
                    line: line.number, "the calendar has more than \(ICalendar.Limits.timeZones) time zones")
            }
            timeZones.append(TimeZoneBlock(line: line.number))
        case (2, "STANDARD") where isInTimeZone, (2, "DAYLIGHT") where isInTimeZone:
            timeZones[timeZones.count - 1].observances.append([])
        default: break
        }
        stack.append((name, line.number))
    }

    private mutating func end(_ line: ContentLine) throws(ICalendarError) {
        guard let open = stack.last, open.name == line.value.uppercased() else {
            let expected = stack.last.map { ", open is \($0.name.quotable) of line \($0.line)" } ?? ""
            throw ICalendarError(line: line.number, "END:\(line.value.quotable) ends nothing\(expected)")
        }
        stack.removeLast()
    }

    private mutating func take(_ line: ContentLine, in component: String) {
        switch component {
        case "VCALENDAR" where stack.count == 1:
            if line.name == "X-WR-CALNAME" { name = line.text }
            if line.name == "X-WR-TIMEZONE" { zoneName = line.value }
        case "VEVENT" where stack.count == 2: events[events.count - 1].take(line)
        case "VTIMEZONE" where stack.count == 2:
            if line.name == "TZID" { timeZones[timeZones.count - 1].id = line.value }
        case "STANDARD" where stack.count == 3 && isInTimeZone, "DAYLIGHT" where stack.count == 3 && isInTimeZone:
            guard let block = timeZones.indices.last, let part = timeZones[block].observances.indices.last,
                timeZones[block].observances[part].count < ICalendar.Limits.listedTimes
            else { return }
            timeZones[block].observances[part].append(line)
        default: break
        }
    }
}

/// The zones of a calendar by the names that it gives them.
private struct ZoneDirectory {
    private let blocks: [String: TimeZoneBlock]
    private(set) var zones: [String: any TimeZoneRules] = [:]
    private(set) var problems: [ICalendarError] = []
    private var unknown: Set<String> = []
    /// Days and changes that may be looked at for all of them.
    private var budget = 4_000_000

    init(blocks: [TimeZoneBlock]) {
        self.blocks = Dictionary(blocks.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Whether the zone is known from now on.
    mutating func resolve(_ id: String, _ lookup: (String) -> (any TimeZoneRules)?) -> Bool {
        if zones[id] != nil { return true }
        guard !unknown.contains(id) else { return false }
        let candidates = [id, WindowsZones.names[id]].compactMap { $0 } + Self.tails(of: id)
        for name in candidates {
            if let rules = lookup(name) {
                zones[id] = rules
                return true
            }
        }
        do {
            if let rules = try blocks[id]?.rules(budget: &budget) {
                zones[id] = rules
                return true
            }
        } catch { problems.append(error) }
        unknown.insert(id)
        return false
    }

    /// Some write `/example.org/2026/Europe/Berlin`.
    private static func tails(of id: String) -> [String] {
        guard id.hasPrefix("/"), id.utf8.count <= 200 else { return [] }
        let parts = id.split(separator: "/")
        return [3, 2].filter { $0 < parts.count }.map { parts.suffix($0).joined(separator: "/") }
    }
}
