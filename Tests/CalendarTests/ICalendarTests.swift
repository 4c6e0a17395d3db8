import Calendar
import MediaTypes
import Testing

@Suite struct ICalendarTests {
    /// All that takes place in 2026 and 2027: time in Berlin, and summary.
    func listed(_ calendar: ICalendar, floatingIn zone: TransitionTable? = nil) throws -> [String] {
        let berlin = try CalendarTests.zone("Europe/Berlin")
        let found = try calendar.occurrences(
            startingIn: instant("2026-01-01 00:00")..<instant("2028-01-01 00:00"), floatingIn: zone ?? berlin)
        return found.occurrences.map { event in
            let minutes = event.end.map { " for \(($0.wholeSeconds - event.start.wholeSeconds) / 60) min" } ?? ""
            return "\(shown(event.start, in: berlin) ?? "")\(minutes) \(event.summary ?? "")"
        }
    }

    @Test func everythingIsReadOfAnEvent() throws {
        let text = """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Team\\, all\r\n\
            BEGIN:VEVENT\r\nUID:1@example.org\r\nSEQUENCE:3\r\n\
            DTSTART;TZID=Europe/Berlin:20260302T090000\r\nDTEND;TZID="Europe/Berlin":20260302T103000\r\n\
            SUMMARY;LANGUAGE=de:Besprechung\\, lang\\; und mit Zeilen\\numbruch \\\\o/\r\nLOCATION:Raum ü\r\n\
            URL:https://meet.example.org/room?a=1;b=2:3\r\nDESCRIPTION:Sehr lang und ge\r\n falte\r\n\tt\r\n\
            ATTENDEE;CN="Some; body: else":mailto:a@example.org\r\n\
            BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nDESCRIPTION:no\r\nEND:VALARM\r\n\
            END:VEVENT\r\nEND:VCALENDAR\r\n
            """
        let calendar = try ICalendar(parsing: Array(text.utf8)) { try? zone($0) }
        #expect(calendar.problems.isEmpty && calendar.name == "Team, all")
        let event = try #require(calendar.events.first)
        #expect(event.uid == "1@example.org" && event.sequence == 3 && event.line == 4)
        #expect(event.summary == "Besprechung, lang; und mit Zeilen\numbruch \\o/")
        #expect(event.location == "Raum ü" && event.url == "https://meet.example.org/room?a=1;b=2:3")
        #expect(event.details == "Sehr lang und gefaltet")
        #expect(try listed(calendar).map { $0.prefix(33) } == ["2026-03-02 09:00 +0100 for 90 min"])
    }

    @Test(arguments: [
        ("DTSTART:20260302T080000Z\nDURATION:PT45M", "2026-03-02 09:00 +0100 for 45 min "),
        ("DTSTART:20260302T080000\nDTEND:20260302T083000", "2026-03-02 08:00 +0100 for 30 min "),
        ("DTSTART;VALUE=DATE:20260302", "2026-03-02 00:00 +0100 for 1440 min "),
        ("DTSTART;VALUE=DATE:20260328\nDTEND;VALUE=DATE:20260330", "2026-03-28 00:00 +0100 for 2820 min "),
        ("DTSTART:20260302T080000Z", "2026-03-02 09:00 +0100 "),
        ("DTSTART:20260302T080000Z\nDTEND:20260301T080000Z", "2026-03-02 09:00 +0100 "),
        (
            "DTSTART;TZID=America/New_York:20260302T090000\nDTEND;TZID=Europe/Berlin:20260302T160000",
            "2026-03-02 15:00 +0100 for 60 min "
        ),
        (
            "DTSTART;TZID=W. Europe Standard Time:20260702T090000\nDURATION:P1DT1H",
            "2026-07-02 09:00 +0200 for 1500 min "
        ),
        ("DTSTART;TZID=\"Eastern Standard Time\":20260302T090000", "2026-03-02 15:00 +0100 "),
        ("DTSTART;TZID=/example.org/2026a/Europe/Lisbon:20260302T090000", "2026-03-02 10:00 +0100 "),
        ("DTSTART;TZID=/example.org/America/Argentina/Salta:20260302T090000", "2026-03-02 13:00 +0100 "),
        // Skipped and shown twice, as RFC 5545 says.
        ("DTSTART;TZID=Europe/Berlin:20260329T023000", "2026-03-29 03:30 +0200 "),
        ("DTSTART;TZID=Europe/Berlin:20261025T023000", "2026-10-25 02:30 +0200 "),
        // A day is as long as the clocks make it, hours are not.
        ("DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:P1D", "2026-03-28 12:00 +0100 for 1380 min "),
        ("DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:PT24H", "2026-03-28 12:00 +0100 for 1440 min "),
    ])
    func timesMean(properties: String, occurrence: String) throws {
        let calendar = try calendar("BEGIN:VEVENT\nUID:a\n\(properties)\nEND:VEVENT")
        #expect(calendar.problems == [])
        #expect(try listed(calendar) == [occurrence])
    }

    @Test func whatComesAgainKeepsItsTimeOnTheClock() throws {
        let calendar = try calendar(
            """
            BEGIN:VEVENT
            UID:a
            SUMMARY:weekly
            DTSTART;TZID=Europe/Berlin:20260322T090000
            DTEND;TZID=Europe/Berlin:20260322T100000
            RRULE:FREQ=WEEKLY;COUNT=3
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            SUMMARY:nightly
            DTSTART;TZID=Europe/Berlin:20261024T023000
            DURATION:PT30M
            RRULE:FREQ=DAILY;UNTIL=20261026T013000Z
            END:VEVENT
            """)
        #expect(
            try listed(calendar) == [
                "2026-03-22 09:00 +0100 for 60 min weekly", "2026-03-29 09:00 +0200 for 60 min weekly",
                "2026-04-05 09:00 +0200 for 60 min weekly", "2026-10-24 02:30 +0200 for 30 min nightly",
                "2026-10-25 02:30 +0200 for 30 min nightly", "2026-10-26 02:30 +0100 for 30 min nightly",
            ])
    }

    @Test func timesAreAddedExcludedMovedAndCancelled() throws {
        let calendar = try calendar(
            """
            BEGIN:VEVENT
            UID:a
            SUMMARY:series
            DTSTART;TZID=Europe/Berlin:20260302T090000
            DURATION:PT1H
            RRULE:FREQ=WEEKLY;COUNT=6
            EXDATE;TZID=Europe/Berlin:20260309T090000
            EXDATE;VALUE=DATE:20260316
            RDATE;TZID=Europe/Berlin:20260304T110000,20260305T110000
            RDATE;VALUE=PERIOD:20260306T110000Z/PT2H
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            SUMMARY:moved
            RECURRENCE-ID:20260323T080000Z
            DTSTART;TZID=Europe/Berlin:20260324T140000
            DURATION:PT2H
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            SUMMARY:off
            STATUS:CANCELLED
            RECURRENCE-ID;TZID=Europe/Berlin:20260330T090000
            DTSTART;TZID=Europe/Berlin:20260330T090000
            END:VEVENT
            BEGIN:VEVENT
            UID:lonely
            SUMMARY:invited to one of many
            RECURRENCE-ID:20260401T080000Z
            DTSTART:20260401T100000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:gone
            STATUS:CANCELLED
            DTSTART:20260401T100000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:changed
            SEQUENCE:2
            SUMMARY:newer
            DTSTART:20260501T100000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:changed
            SEQUENCE:1
            SUMMARY:older
            DTSTART:20260501T080000Z
            END:VEVENT
            """)
        #expect(
            try listed(calendar) == [
                "2026-03-02 09:00 +0100 for 60 min series", "2026-03-04 11:00 +0100 for 60 min series",
                "2026-03-05 11:00 +0100 for 60 min series", "2026-03-06 12:00 +0100 for 60 min series",
                "2026-03-24 14:00 +0100 for 120 min moved", "2026-04-01 12:00 +0200 invited to one of many",
                "2026-04-06 09:00 +0200 for 60 min series", "2026-05-01 12:00 +0200 newer",
            ])
        let moved = try calendar.occurrences(
            startingIn: instant("2026-03-24 00:00")..<instant("2026-03-25 00:00"), floatingIn: FixedOffset.utc)
        #expect(try moved.occurrences.map(\.originalStart) == [instant("2026-03-23 08:00")])
    }

    static let block = """
        BEGIN:VTIMEZONE
        TZID:Our own
        BEGIN:STANDARD
        DTSTART:16010101T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:16010101T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
        END:DAYLIGHT
        END:VTIMEZONE
        BEGIN:VTIMEZONE
        TZID:Fixed
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0530
        TZOFFSETTO:+0530
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VTIMEZONE
        TZID:Europe/Berlin
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+1200
        TZOFFSETTO:+1200
        END:STANDARD
        END:VTIMEZONE
        """

    @Test func zonesOfTheFileAreUsedWhereTheyAreNotKnown() throws {
        let calendar = try calendar(
            Self.block + """

                BEGIN:VEVENT
                UID:a
                DTSTART;TZID=Our own:20260328T090000
                RRULE:FREQ=DAILY;COUNT=2
                END:VEVENT
                BEGIN:VEVENT
                UID:b
                DTSTART;TZID=Our own:20261025T023000
                END:VEVENT
                BEGIN:VEVENT
                UID:c
                DTSTART;TZID=Fixed:20261126T133000
                END:VEVENT
                BEGIN:VEVENT
                UID:d
                DTSTART;TZID=Europe/Berlin:20261127T090000
                END:VEVENT
                """)
        #expect(calendar.problems == [])
        #expect(
            try listed(calendar) == [
                "2026-03-28 09:00 +0100 ", "2026-03-29 09:00 +0200 ", "2026-10-25 02:30 +0200 ",
                "2026-11-26 09:00 +0100 ",
                "2026-11-27 09:00 +0100 ",
            ])
    }

    @Test func floatingTimesAreThoseOfTheCalendarOrOfTheReader() throws {
        let event = "BEGIN:VEVENT\nUID:a\nDTSTART:20260302T090000\nEND:VEVENT"
        #expect(try listed(calendar(event), floatingIn: zone("Asia/Tokyo")) == ["2026-03-02 01:00 +0100 "])
        #expect(
            try listed(calendar("X-WR-TIMEZONE:America/New_York\n" + event), floatingIn: zone("Asia/Tokyo")) == [
                "2026-03-02 15:00 +0100 "
            ])
    }

    @Test(arguments: [
        ("", "line 1: this is no calendar: it does not begin with BEGIN:VCALENDAR"),
        ("<!DOCTYPE html>\n", "line 1: this is no calendar: it does not begin with BEGIN:VCALENDAR"),
        ("\n\nHTTP:404", "line 3: this is no calendar: it does not begin with BEGIN:VCALENDAR"),
        ("BEGIN:VCARD\nEND:VCARD\n", "line 1: this is no calendar: it does not begin with BEGIN:VCALENDAR"),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", "line 3: the calendar ends within the VEVENT that begins in line 2"),
        (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n",
            "line 3: END:VCALENDAR ends nothing, open is VEVENT of line 2"
        ),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VEVENT", "line 3: END:VEVENT ends nothing"),
    ])
    func whatIsNoCalendarIsRefusedWithALine(text: String, message: String) {
        let error = #expect(throws: ICalendarError.self) { try ICalendar(parsing: Array(text.utf8)) { _ in nil } }
        #expect(error?.description == message)
    }

    /// One bad property in a calendar whose second event is good.
    @Test(arguments: [
        ("UID:a", "line 3: the event has no DTSTART"),
        (
            "DTSTART:2026-03-02",
            "line 4: DTSTART is '2026-03-02', it must be a time such as 20261130T090000 or a day such as 20261130"
        ),
        (
            "DTSTART;TZID=Middle/Earth:20260302T090000",
            "line 4: DTSTART is in the time zone 'Middle/Earth', which nobody knows"
        ),
        ("DTSTART:20260302T090000Z\nDURATION:-PT1H", "line 5: DURATION is '-PT1H', it must be such as PT1H30M or P1D"),
        ("DTSTART:20260302T090000Z\nRRULE:FREQ=DAILY;COUNT=0", "line 5: RRULE: COUNT is '0', it must be 1 to 100000"),
        (
            "DTSTART:20260302T090000Z\nEXDATE:soon",
            "line 5: EXDATE is 'soon', it must be a time such as 20261130T090000 or a day such as 20261130"
        ),
        (
            "DTSTART:20260302T090000Z\nEXRULE:FREQ=DAILY",
            "line 5: EXRULE is not supported (RFC 5545 has it no more): write EXDATE"
        ),
        (
            "DTSTART:20260230T090000Z",
            "line 4: DTSTART is '20260230T090000Z', it must be a time such as 20261130T090000 or a day such as 20261130"
        ),
    ])
    func aBadEventIsLeftOutAndNamed(properties: String, message: String) throws {
        let calendar = try calendar(
            "BEGIN:VEVENT\n\(properties)\nEND:VEVENT\nBEGIN:VEVENT\nUID:good\nDTSTART:20260302T090000Z\nEND:VEVENT")
        #expect(calendar.problems.map(\.description) == [message])
        #expect(calendar.events.map(\.uid) == ["good"])
    }

    @Test func linesWithoutAColonAreNamedAndPassedOver() throws {
        let calendar = try calendar("BEGIN:VEVENT\nUID:good\nnonsense\n\nDTSTART:20260302T090000Z\nEND:VEVENT")
        #expect(
            calendar.problems.map(\.description) == [
                "line 5: 'nonsense' is no property: it has no colon after its name"
            ])
        #expect(calendar.events.count == 1)
    }

    @Test func limitsHoldAndHostileRulesEnd() throws {
        func read(_ text: String) throws -> ICalendar { try ICalendar(parsing: Array(text.utf8)) { _ in nil } }
        let long = #expect(throws: ICalendarError.self) {
            try read("BEGIN:VCALENDAR\nX:" + String(repeating: "a", count: ICalendar.Limits.lineBytes))
        }
        #expect(long?.description == "line 2: the line is longer than 1048576 bytes")
        let deep = #expect(throws: ICalendarError.self) {
            try read("BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X\n", count: 20))
        }
        #expect(deep?.line == 17)
        let many = #expect(throws: ICalendarError.self) {
            try read("BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:VEVENT\nEND:VEVENT\n", count: 20_001))
        }
        #expect(many?.reason == "the calendar has more than 20000 events")
        let all = (0...59).map(String.init).joined(separator: ",")
        let hours = (0...23).map(String.init).joined(separator: ",")
        let event = "BEGIN:VEVENT\nUID:#\nDTSTART:19700101T000000Z\nRRULE:FREQ=#\nEND:VEVENT\n"
        let rules = [
            "SECONDLY", "SECONDLY;COUNT=100000",
            "YEARLY;BYHOUR=\(hours);BYMINUTE=\(all);BYSECOND=\(all);BYDAY=MO,TU,WE,TH,FR,SA,SU",
            "DAILY;BYMONTH=2;BYMONTHDAY=30", "SECONDLY;INTERVAL=2;BYSECOND=1",
        ]
        let events = (0..<400).map { number in
            event.split(separator: "#", omittingEmptySubsequences: false).joined(
                separator: "\(number) \(rules[number % rules.count])"
            )
            .replacingFirst("FREQ=\(number) ", with: "FREQ=")
        }
        let calendar = try read("BEGIN:VCALENDAR\n" + events.joined() + "END:VCALENDAR\n")
        #expect(calendar.problems == [] && calendar.events.count == 400)
        let found = try calendar.occurrences(
            startingIn: instant("2026-01-01 00:00")..<instant("2027-01-01 00:00"), floatingIn: FixedOffset.utc,
            limit: 500, effort: 200_000)
        #expect(!found.isComplete && found.occurrences.count <= 500)
    }
}

extension String {
    func replacingFirst(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func firstRange(of text: String) -> Range<Index>? { ranges(of: text).first }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
