/// The properties of a VEVENT that matter, as they were written: what they mean is known only once all zones are.
struct EventProperties {
    let line: Int
    /// The first of each that may stand once.
    private(set) var single: [String: ContentLine] = [:]
    /// RRULE, RDATE, EXDATE, EXRULE.
    private(set) var repeated: [ContentLine] = []

    init(line: Int) { self.line = line }

    mutating func take(_ line: ContentLine) {
        switch line.name {
        case "RRULE", "RDATE", "EXDATE", "EXRULE":
            if repeated.count < ICalendar.Limits.listedTimes { repeated.append(line) }
        case "UID", "SUMMARY", "LOCATION", "URL", "DESCRIPTION", "STATUS", "SEQUENCE", "DTSTART", "DTEND", "DURATION",
            "RECURRENCE-ID":
            if single[line.name] == nil { single[line.name] = line }
        default: break
        }
    }
}

extension CalendarEvent {
    /// Reads an event; `isKnown` says whether there is a zone of a name.
    init(_ properties: EventProperties, isKnown: (String) -> Bool) throws(ICalendarError) {
        func text(_ name: String) -> String? { properties.single[name]?.text }
        guard let startLine = properties.single["DTSTART"] else {
            throw ICalendarError(line: properties.line, "the event has no DTSTART")
        }
        start = try Self.time(startLine.value, of: startLine, isKnown)
        line = properties.line
        uid = text("UID") ?? "line \(properties.line)"
        summary = text("SUMMARY")
        location = text("LOCATION")
        url = text("URL")
        details = text("DESCRIPTION")
        isCancelled = text("STATUS")?.uppercased() == "CANCELLED"
        sequence = text("SEQUENCE").flatMap { Int($0) } ?? 0
        replaces = try properties.single["RECURRENCE-ID"].map { line throws(ICalendarError) in
            try Self.time(line.value, of: line, isKnown)
        }
        if let line = properties.single["DURATION"] {
            guard let length = EventLength(line.value) else {
                throw ICalendarError(
                    line: line.number, "DURATION is '\(line.value.quotable)', it must be such as PT1H30M or P1D")
            }
            self.length = length
        } else if let line = properties.single["DTEND"] {
            endTime = try Self.time(line.value, of: line, isKnown)
        }
        for line in properties.repeated { try take(line, isKnown) }
    }

    private mutating func take(_ line: ContentLine, _ isKnown: (String) -> Bool) throws(ICalendarError) {
        switch line.name {
        case "RRULE":
            do { rules.append(try RecurrenceRule(line.value)) } catch {
                throw ICalendarError(line: line.number, "RRULE: \(error)")
            }
        case "EXRULE":
            throw ICalendarError(line: line.number, "EXRULE is not supported (RFC 5545 has it no more): write EXDATE")
        default:
            for part in line.value.split(separator: ",") {
                // Of a period, the start.
                let time = try Self.time(part.prefix { $0 != "/" }, of: line, isKnown)
                if line.name == "RDATE" { additional.append(time) } else { excluded.append(time) }
            }
            guard max(additional.count, excluded.count) <= ICalendar.Limits.listedTimes else {
                throw ICalendarError(
                    line: line.number,
                    "the event has more than \(ICalendar.Limits.listedTimes) times in its \(line.name)")
            }
        }
    }

    private static func time(
        _ text: some StringProtocol, of line: ContentLine, _ isKnown: (String) -> Bool
    ) throws(ICalendarError) -> EventTime {
        let zone = line.parameters["TZID"].flatMap { $0.isEmpty ? nil : $0 }
        guard let time = EventTime(text, zone: zone) else {
            throw ICalendarError(
                line: line.number,
                "\(line.name) is '\(text.quotable)', it must be a time such as 20261130T090000 or a day "
                    + "such as 20261130"
            )
        }
        if case .zone(let name) = time.place, !isKnown(name) {
            throw ICalendarError(
                line: line.number, "\(line.name) is in the time zone '\(name.quotable)', which nobody knows")
        }
        return time
    }
}
