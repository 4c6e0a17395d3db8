import Calendar
import CallbotTesting
import MediaTypes
import Testing

@Suite struct RecurrenceRuleTests {
    @Test(arguments: [
        ("", "the rule has no FREQ"), ("FREQ", "'FREQ' in the rule has no ="),
        ("FREQ=DAILY;FREQ=DAILY", "FREQ stands twice"),
        (
            "FREQ=FORTNIGHTLY",
            "FREQ is 'FORTNIGHTLY', it must be YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY or SECONDLY"
        ),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL is '0', it must be 1 to 100000"),
        ("FREQ=DAILY;COUNT=99999999", "COUNT is '99999999', it must be 1 to 100000"),
        ("FREQ=DAILY;COUNT=1;UNTIL=20260101", "the rule has COUNT and UNTIL"),
        (
            "FREQ=DAILY;UNTIL=tomorrow",
            "UNTIL is 'tomorrow', it must be a time such as 20261231T225959Z or a day such as 20261231"
        ),
        ("FREQ=DAILY;BYMONTHDAY=0", "BYMONTHDAY has '0', it must be 1 to 31 or -31 to -1"),
        ("FREQ=DAILY;BYMONTH=13", "BYMONTH has '13', it must be 1 to 12"),
        ("FREQ=DAILY;BYHOUR=", "BYHOUR has '', it must be 0 to 23"),
        ("FREQ=MONTHLY;BYDAY=XX", "BYDAY has 'XX', it must be days such as MO, 2MO or -1FR"),
        ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY has '0MO', it must be days such as MO, 2MO or -1FR"),
        ("FREQ=WEEKLY;BYDAY=2MO", "BYDAY has numbers, which it must only in monthly and yearly rules"),
        ("FREQ=MONTHLY;BYWEEKNO=2", "BYWEEKNO stands in a rule that is not yearly"),
        ("FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO", "BYDAY has numbers beside BYWEEKNO"),
        ("FREQ=DAILY;WKST=XX", "WKST is 'XX', it must be SU, MO, TU, WE, TH, FR or SA"),
        ("FREQ=DAILY;BYEASTER=1", "the rule has the part BYEASTER, which is not known"),
    ])
    func mistakesAreNamed(rule: String, message: String) {
        let error = #expect(throws: RecurrenceRule.Invalid.self) { try RecurrenceRule(rule) }
        #expect(error?.description == message)
    }

    /// What a rule gives from 2026-01-01 09:00 on, in UTC.
    @Test(arguments: [
        ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO", ["2026-01-01", "2027-01-04", "2028-01-03", "2029-01-01", "2029-12-31"]),
        ("FREQ=YEARLY;BYWEEKNO=53", ["2026-01-01", "2026-12-31", "2032-12-30"]),
        ("FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU", ["2026-01-01", "2027-01-03", "2028-01-02"]),
        ("FREQ=YEARLY;BYYEARDAY=-1,366", ["2026-01-01", "2026-12-31", "2027-12-31", "2028-12-31"]),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", ["2026-01-01", "2028-02-29", "2032-02-29"]),
        ("FREQ=YEARLY;BYMONTH=12;BYDAY=-1FR", ["2026-01-01", "2026-12-25", "2027-12-31"]),
        ("FREQ=MONTHLY;BYDAY=5WE", ["2026-01-01", "2026-04-29", "2026-07-29"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31", ["2026-01-01", "2026-01-31", "2026-03-31", "2026-05-31"]),
        ("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=-1", ["2026-01-01", "2026-01-31", "2027-01-31"]),
        ("FREQ=HOURLY;INTERVAL=36", ["2026-01-01", "2026-01-02", "2026-01-04"]),
        (
            "FREQ=SECONDLY;BYMONTH=3;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0;BYSECOND=0",
            ["2026-01-01", "2026-03-01", "2027-03-01"]
        ),
        ("FREQ=MINUTELY;BYDAY=SU;BYHOUR=9;BYMINUTE=0", ["2026-01-01", "2026-01-04", "2026-01-11"]),
        ("FREQ=YEARLY;BYHOUR=9;BYSETPOS=1;BYDAY=MO", ["2026-01-01", "2026-01-05", "2027-01-04"]),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", ["2026-01-01", "2026-01-02", "2026-01-09"]),
        ("FREQ=WEEKLY;UNTIL=20260108", ["2026-01-01", "2026-01-08"]),
        ("FREQ=WEEKLY;UNTIL=20260108T085959Z", ["2026-01-01"]), ("FREQ=WEEKLY;UNTIL=20251231", ["2026-01-01"]),
        ("freq=daily;count=2;x-note=1", ["2026-01-01", "2026-01-02"]),
    ])
    func ruleGives(rule: String, days: [String]) throws {
        let calendar = try calendar("BEGIN:VEVENT\nUID:a\nDTSTART:20260101T090000Z\nRRULE:\(rule)\nEND:VEVENT")
        #expect(calendar.problems.isEmpty)
        let found = try calendar.occurrences(
            startingIn: instant("2026-01-01 00:00")..<instant("2060-01-01 00:00"), floatingIn: FixedOffset.utc)
        let clocks = found.occurrences.map { FixedOffset.utc.clock(at: $0.start) }
        let ends = rule.contains("UNTIL") || rule.uppercased().contains("COUNT")
        let shown = clocks.prefix(ends ? 1000 : days.count).map(\.date.description)
        #expect(shown == days)
    }

    @Test(arguments: [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31", "FREQ=DAILY;INTERVAL=7;BYDAY=SA",
        "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "FREQ=SECONDLY;BYSECOND=60", "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=1",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=WEEKLY;BYMONTH=4;BYMONTHDAY=31",
        "FREQ=YEARLY;BYDAY=53TH;BYMONTH=1", "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1", "FREQ=DAILY;BYSETPOS=2",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300",
    ])
    func whatNeverComesEnds(rule: String) throws {
        let calendar = try calendar("BEGIN:VEVENT\nUID:a\nDTSTART:20260101T090000Z\nRRULE:\(rule)\nEND:VEVENT")
        let found = try calendar.occurrences(
            startingIn: instant("2026-01-01 00:00")..<instant("9999-12-31 00:00"), floatingIn: FixedOffset.utc)
        #expect(found.occurrences.count == 1)
    }

    /// Days by a walk that asks of each day whether the rule takes it, written anew; times are left out.
    @Test func rulesOfDaysAgreeWithAWalkThroughTheDays() throws {
        var random = SeededGenerator(seed: 55)
        let start = try #require(CivilDate(year: 2026, month: 1, day: 1)).dayNumber
        let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
        for _ in 0..<150 {
            let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(using: &random) ?? "DAILY"
            let interval = Int.random(in: 1...4, using: &random)
            func some(_ range: ClosedRange<Int>, signed: Bool = false) -> [Int] {
                (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    Int.random(in: range, using: &random) * (signed && random.chance(0.4) ? -1 : 1)
                }
            }
            let months = random.chance(0.4) ? some(1...12) : []
            let monthDays = frequency != "WEEKLY" && random.chance(0.4) ? some(1...31, signed: true) : []
            let weekdays = random.chance(0.5) ? some(0...6) : []
            let hasOrdinals = frequency == "MONTHLY" || frequency == "YEARLY" && !months.isEmpty
            let ordinals = weekdays.map { _ in
                hasOrdinals && random.chance(0.5)
                    ? Int.random(in: 1...5, using: &random) * (random.chance(0.5) ? -1 : 1) : 0
            }
            guard !(monthDays.isEmpty && weekdays.isEmpty) || frequency == "DAILY" else { continue }
            var rule = "FREQ=\(frequency);INTERVAL=\(interval)"
            func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }
            if !months.isEmpty { rule += ";BYMONTH=" + list(months) }
            if !monthDays.isEmpty { rule += ";BYMONTHDAY=" + list(monthDays) }
            if !weekdays.isEmpty {
                rule +=
                    ";BYDAY="
                    + zip(weekdays, ordinals).map { ($1 == 0 ? "" : String($1)) + names[$0] }.joined(separator: ",")
            }
            let walked = (start..<start + 1500).filter { number in
                let date = CivilDate(dayNumber: number)
                let length = CivilDate.days(inMonth: date.month, of: date.year)
                let isInPeriod =
                    switch frequency {
                    case "DAILY": (number - start) % interval == 0
                    // 2026-01-01 is a Thursday; weeks begin on Monday.
                    case "WEEKLY": (number - start + 3) / 7 % interval == 0
                    case "MONTHLY": ((date.year - 2026) * 12 + date.month - 1) % interval == 0
                    default: (date.year - 2026) % interval == 0
                    }
                return isInPeriod && (months.isEmpty || months.contains(date.month))
                    && (monthDays.isEmpty || monthDays.contains(date.day) || monthDays.contains(date.day - length - 1))
                    && (weekdays.isEmpty
                        || zip(weekdays, ordinals).contains { weekday, ordinal in
                            guard weekday == date.weekday.rawValue else { return false }
                            if ordinal == 0 { return true }
                            let first = date.day - 7 * (ordinal - 1)
                            let last = date.day + 7 * (-ordinal - 1)
                            return ordinal > 0 ? (1...7).contains(first) : last <= length && last + 7 > length
                        })
            }
            let calendar = try calendar("BEGIN:VEVENT\nUID:a\nDTSTART:20260101T090000Z\nRRULE:\(rule)\nEND:VEVENT")
            let found = calendar.occurrences(
                startingIn: WallTime(seconds: start * 86_400)..<WallTime(seconds: (start + 1500) * 86_400),
                floatingIn: FixedOffset.utc)
            let days = found.occurrences.map { FixedOffset.utc.clock(at: $0.start).date.dayNumber }
            // The event's own start always takes place.
            #expect(days == (walked.first == start ? walked : [start] + walked), "\(rule)")
        }
    }
}
