import Calendar
import MediaTypes
import Testing

/// The examples of RFC 5545, section 3.8.5.3, all in America/New_York.
@Suite struct RecurrenceExamplesTests {
    /// Rule, DTSTART, how often at all (nil: for ever), and the times of the first of them, as the RFC lists them.
    struct Example: Sendable, CustomTestStringConvertible {
        let rule: String
        let start: String
        let count: Int?
        let times: [String]
        var excluded: String?

        init(
            _ rule: String, _ start: String = "19970902T090000", count: Int?, _ times: [String], excluded: String? = nil
        ) {
            self.rule = rule
            self.start = start
            self.count = count
            self.times = times
            self.excluded = excluded
        }

        var testDescription: String { rule }
    }

    /// `1997-09-02`, ... at 09:00: a year and month, and its days.
    static func at9(_ months: (String, [Int])...) -> [String] {
        months.flatMap { month, days in days.map { "\(month)-\($0 < 10 ? "0" : "")\($0) 09:00" } }
    }

    static let examples = [
        // Daily
        Example("FREQ=DAILY;COUNT=10", count: 10, at9(("1997-09", Array(2...11)))),
        Example(
            "FREQ=DAILY;UNTIL=19971224T000000Z", count: 113, at9(("1997-09", Array(2...30)), ("1997-10", Array(1...31)))
        ),
        Example(
            "FREQ=DAILY;INTERVAL=2", count: nil,
            at9(("1997-09", Array(stride(from: 2, through: 30, by: 2))), ("1997-10", [2, 4]))),
        Example("FREQ=DAILY;INTERVAL=10;COUNT=5", count: 5, at9(("1997-09", [2, 12, 22]), ("1997-10", [2, 12]))),
        Example(
            "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "19980101T090000", count: 93,
            at9(("1998-01", Array(1...31)), ("1999-01", Array(1...31)), ("2000-01", Array(1...31)))),
        Example(
            "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "19980101T090000", count: 93,
            at9(("1998-01", Array(1...31)), ("1999-01", Array(1...31)), ("2000-01", Array(1...31)))),
        // Weekly
        Example(
            "FREQ=WEEKLY;COUNT=10", count: 10,
            at9(("1997-09", [2, 9, 16, 23, 30]), ("1997-10", [7, 14, 21, 28]), ("1997-11", [4]))),
        Example(
            "FREQ=WEEKLY;UNTIL=19971224T000000Z", count: 17,
            at9(
                ("1997-09", [2, 9, 16, 23, 30]), ("1997-10", [7, 14, 21, 28]), ("1997-11", [4, 11, 18, 25]),
                ("1997-12", [2, 9, 16, 23]))),
        Example(
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU", count: nil,
            at9(
                ("1997-09", [2, 16, 30]), ("1997-10", [14, 28]), ("1997-11", [11, 25]), ("1997-12", [9, 23]),
                ("1998-01", [6, 20]), ("1998-02", [3, 17]))),
        Example(
            "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", count: 10,
            at9(("1997-09", [2, 4, 9, 11, 16, 18, 23, 25, 30]), ("1997-10", [2]))),
        Example(
            "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", count: 10,
            at9(("1997-09", [2, 4, 9, 11, 16, 18, 23, 25, 30]), ("1997-10", [2]))),
        Example(
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "19970901T090000", count: 25,
            at9(
                ("1997-09", [1, 3, 5, 15, 17, 19, 29]), ("1997-10", [1, 3, 13, 15, 17, 27, 29, 31]),
                ("1997-11", [10, 12, 14, 24, 26, 28]),
                ("1997-12", [8, 10, 12, 22]))),
        Example(
            "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", count: 8,
            at9(("1997-09", [2, 4, 16, 18, 30]), ("1997-10", [2, 14, 16]))),
        // Monthly
        Example(
            "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "19970905T090000", count: 10,
            at9(
                ("1997-09", [5]), ("1997-10", [3]), ("1997-11", [7]), ("1997-12", [5]), ("1998-01", [2]),
                ("1998-02", [6]), ("1998-03", [6]),
                ("1998-04", [3]), ("1998-05", [1]), ("1998-06", [5]))),
        Example(
            "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "19970905T090000", count: 4,
            at9(("1997-09", [5]), ("1997-10", [3]), ("1997-11", [7]), ("1997-12", [5]))),
        Example(
            "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "19970907T090000", count: 10,
            at9(
                ("1997-09", [7, 28]), ("1997-11", [2, 30]), ("1998-01", [4, 25]), ("1998-03", [1, 29]),
                ("1998-05", [3, 31]))),
        Example(
            "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "19970922T090000", count: 6,
            at9(
                ("1997-09", [22]), ("1997-10", [20]), ("1997-11", [17]), ("1997-12", [22]), ("1998-01", [19]),
                ("1998-02", [16]))),
        Example(
            "FREQ=MONTHLY;BYMONTHDAY=-3", "19970928T090000", count: nil,
            at9(
                ("1997-09", [28]), ("1997-10", [29]), ("1997-11", [28]), ("1997-12", [29]), ("1998-01", [29]),
                ("1998-02", [26]))),
        Example(
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", count: 10,
            at9(
                ("1997-09", [2, 15]), ("1997-10", [2, 15]), ("1997-11", [2, 15]), ("1997-12", [2, 15]),
                ("1998-01", [2, 15]))),
        Example(
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "19970930T090000", count: 10,
            at9(
                ("1997-09", [30]), ("1997-10", [1, 31]), ("1997-11", [1, 30]), ("1997-12", [1, 31]),
                ("1998-01", [1, 31]), ("1998-02", [1]))),
        Example(
            "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "19970910T090000", count: 10,
            at9(("1997-09", [10, 11, 12, 13, 14, 15]), ("1999-03", [10, 11, 12, 13]))),
        Example(
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", count: nil,
            at9(
                ("1997-09", [2, 9, 16, 23, 30]), ("1997-11", [4, 11, 18, 25]), ("1998-01", [6, 13, 20, 27]),
                ("1998-03", [3, 10, 17, 24, 31]))),
        // Yearly
        Example(
            "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "19970610T090000", count: 10,
            at9(
                ("1997-06", [10]), ("1997-07", [10]), ("1998-06", [10]), ("1998-07", [10]), ("1999-06", [10]),
                ("1999-07", [10]),
                ("2000-06", [10]), ("2000-07", [10]), ("2001-06", [10]), ("2001-07", [10]))),
        Example(
            "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", "19970310T090000", count: 10,
            at9(
                ("1997-03", [10]), ("1999-01", [10]), ("1999-02", [10]), ("1999-03", [10]), ("2001-01", [10]),
                ("2001-02", [10]),
                ("2001-03", [10]), ("2003-01", [10]), ("2003-02", [10]), ("2003-03", [10]))),
        Example(
            "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "19970101T090000", count: 10,
            at9(
                ("1997-01", [1]), ("1997-04", [10]), ("1997-07", [19]), ("2000-01", [1]), ("2000-04", [9]),
                ("2000-07", [18]),
                ("2003-01", [1]), ("2003-04", [10]), ("2003-07", [19]), ("2006-01", [1]))),
        Example(
            "FREQ=YEARLY;BYDAY=20MO", "19970519T090000", count: nil,
            at9(("1997-05", [19]), ("1998-05", [18]), ("1999-05", [17]))),
        Example(
            "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "19970512T090000", count: nil,
            at9(("1997-05", [12]), ("1998-05", [11]), ("1999-05", [17]))),
        Example(
            "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "19970313T090000", count: nil,
            at9(("1997-03", [13, 20, 27]), ("1998-03", [5, 12, 19, 26]), ("1999-03", [4, 11, 18, 25]))),
        Example(
            "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "19970605T090000", count: nil,
            at9(
                ("1997-06", [5, 12, 19, 26]), ("1997-07", [3, 10, 17, 24, 31]), ("1997-08", [7, 14, 21, 28]),
                ("1998-06", [4, 11, 18, 25]),
                ("1998-07", [2, 9, 16, 23, 30]))),
        Example(
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", count: nil,
            at9(("1998-02", [13]), ("1998-03", [13]), ("1998-11", [13]), ("1999-08", [13]), ("2000-10", [13])),
            excluded: "19970902T090000"),
        Example(
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "19970913T090000", count: nil,
            at9(
                ("1997-09", [13]), ("1997-10", [11]), ("1997-11", [8]), ("1997-12", [13]), ("1998-01", [10]),
                ("1998-02", [7]), ("1998-03", [7]))),
        Example(
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "19961105T090000", count: nil,
            at9(("1996-11", [5]), ("2000-11", [7]), ("2004-11", [2]))),
        Example(
            "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "19970904T090000", count: 3,
            at9(("1997-09", [4]), ("1997-10", [7]), ("1997-11", [6]))),
        Example(
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "19970929T090000", count: nil,
            at9(
                ("1997-09", [29]), ("1997-10", [30]), ("1997-11", [27]), ("1997-12", [30]), ("1998-01", [29]),
                ("1998-02", [26]), ("1998-03", [30]))),
        // Hours and minutes. The RFC's list of the first has a third time, which its UNTIL, 13:00 in New York, leaves
        // out.
        Example(
            "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", count: 2, ["1997-09-02 09:00", "1997-09-02 12:00"]),
        Example(
            "FREQ=MINUTELY;INTERVAL=15;COUNT=6", count: 6,
            ["09:00", "09:15", "09:30", "09:45", "10:00", "10:15"].map { "1997-09-02 \($0)" }),
        Example(
            "FREQ=MINUTELY;INTERVAL=90;COUNT=4", count: 4,
            ["09:00", "10:30", "12:00", "13:30"].map { "1997-09-02 \($0)" }),
        Example(
            "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40", count: nil,
            (9...16).flatMap { hour in [0, 20, 40].map { "1997-09-02 \(hour.padded(2)):\($0.padded(2))" } } + [
                "1997-09-03 09:00"
            ]),
        Example(
            "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16", count: nil,
            (9...16).flatMap { hour in [0, 20, 40].map { "1997-09-02 \(hour.padded(2)):\($0.padded(2))" } } + [
                "1997-09-03 09:00"
            ]),
        // The start of the week matters.
        Example(
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "19970805T090000", count: 4,
            at9(("1997-08", [5, 10, 19, 24]))),
        Example(
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "19970805T090000", count: 4,
            at9(("1997-08", [5, 17, 19, 31]))),
        // Days that there are not in each month are passed over.
        Example(
            "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "20070115T090000", count: 5,
            at9(("2007-01", [15, 30]), ("2007-02", [15]), ("2007-03", [15, 30]))),
    ]

    @Test(arguments: examples) func ruleGivesWhatTheRFCLists(example: Example) throws {
        let calendar = try calendar(
            """
            BEGIN:VEVENT
            UID:example
            DTSTART;TZID=America/New_York:\(example.start)
            RRULE:\(example.rule)
            \(example.excluded.map { "EXDATE;TZID=America/New_York:\($0)\n" } ?? "")END:VEVENT
            """)
        #expect(calendar.problems.isEmpty)
        let zone = try zone("America/New_York")
        let end = try instant(example.rule.contains("BYHOUR") ? "1998-01-01 00:00" : "2012-01-01 00:00")
        let all = try calendar.occurrences(
            startingIn: instant("1990-01-01 00:00")..<end, floatingIn: FixedOffset.utc, limit: 100_000)
        let times = all.occurrences.map { zone.clock(at: $0.start).description.dropLast(3) }.map(String.init)
        #expect(Array(times.prefix(example.times.count)) == example.times)
        if let count = example.count {
            #expect(times.count == count)
        } else {
            #expect(times.count > example.times.count)
        }

        // Whatever the window, the same times.
        let late = try instant("1997-11-02 12:00")
        let later = calendar.occurrences(startingIn: late..<end, floatingIn: FixedOffset.utc, limit: 100_000)
        #expect(later.occurrences == all.occurrences.filter { $0.start >= late })
    }
}

/// A calendar around components, with the zones of the host.
func calendar(_ components: String, zones: Bool = true) throws -> ICalendar {
    try ICalendar(parsing: Array("BEGIN:VCALENDAR\nVERSION:2.0\n\(components)\nEND:VCALENDAR\n".utf8)) { name in
        zones ? try? zone(name) : nil
    }
}
