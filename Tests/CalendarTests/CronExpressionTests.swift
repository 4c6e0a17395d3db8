import Calendar
import MediaTypes
import Testing

@Suite struct CronExpressionTests {
    /// Expression, instant, and the next three times that the clocks in UTC show when it is due.
    @Test(arguments: [
        ("* * * * *", "2026-12-31 23:58:30", ["2026-12-31 23:59", "2027-01-01 00:00", "2027-01-01 00:01"]),
        ("*/15 * * * *", "2026-11-30 10:00", ["2026-11-30 10:15", "2026-11-30 10:30", "2026-11-30 10:45"]),
        ("5/20 * * * *", "2026-11-30 10:00", ["2026-11-30 10:05", "2026-11-30 10:25", "2026-11-30 10:45"]),
        ("0 9 * * MON-FRI", "2026-11-27 09:00", ["2026-11-30 09:00", "2026-12-01 09:00", "2026-12-02 09:00"]),
        ("0 9,14-18/2 * jan sun", "2026-11-30 00:00", ["2027-01-03 09:00", "2027-01-03 14:00", "2027-01-03 16:00"]),
        ("30 8 * * 7", "2026-11-30 00:00", ["2026-12-06 08:30", "2026-12-13 08:30", "2026-12-20 08:30"]),
        ("0 0 * * SAT-SUN", "2026-11-30 00:00", ["2026-12-05 00:00", "2026-12-06 00:00", "2026-12-12 00:00"]),
        ("0 0 * * 5-7", "2026-11-30 00:00", ["2026-12-04 00:00", "2026-12-05 00:00", "2026-12-06 00:00"]),
        ("0 0 * * 3/2", "2026-11-30 00:00", ["2026-12-02 00:00", "2026-12-04 00:00", "2026-12-09 00:00"]),
        ("0 0 29 2 *", "2096-01-01 00:00", ["2096-02-29 00:00", "2104-02-29 00:00", "2108-02-29 00:00"]),
        ("0 0 29 2 *", "1896-03-01 00:00", ["1904-02-29 00:00", "1908-02-29 00:00", "1912-02-29 00:00"]),
        ("0 0 29 FEB MON", "2026-01-01 00:00", ["2026-02-02 00:00", "2026-02-09 00:00", "2026-02-16 00:00"]),
        ("0 0 13 * FRI", "2026-11-30 00:00", ["2026-12-04 00:00", "2026-12-11 00:00", "2026-12-13 00:00"]),
        // A field that begins with a star is no restriction: odd days that are Mondays.
        ("0 0 */2 * MON", "2026-11-30 00:00", ["2026-12-07 00:00", "2026-12-21 00:00", "2027-01-11 00:00"]),
        ("0 0 ? * MON", "2026-11-30 00:00", ["2026-12-07 00:00", "2026-12-14 00:00", "2026-12-21 00:00"]),
        ("0 0 L * *", "2026-11-30 00:00", ["2026-12-31 00:00", "2027-01-31 00:00", "2027-02-28 00:00"]),
        ("0 0 L 2 ?", "2027-11-30 00:00", ["2028-02-29 00:00", "2029-02-28 00:00", "2030-02-28 00:00"]),
        ("0 0 L-3 * *", "2026-11-30 00:00", ["2026-12-28 00:00", "2027-01-28 00:00", "2027-02-25 00:00"]),
        ("0 0 15W * *", "2026-07-31 00:00", ["2026-08-14 00:00", "2026-09-15 00:00", "2026-10-15 00:00"]),
        ("0 0 1W * *", "2026-07-31 00:00", ["2026-08-03 00:00", "2026-09-01 00:00", "2026-10-01 00:00"]),
        ("0 0 31W * *", "2026-09-01 00:00", ["2026-10-30 00:00", "2026-12-31 00:00", "2027-01-29 00:00"]),
        ("0 0 28W 2 *", "2026-01-01 00:00", ["2026-02-27 00:00", "2027-02-26 00:00", "2028-02-28 00:00"]),
        ("0 0 LW * *", "2026-09-30 00:00", ["2026-10-30 00:00", "2026-11-30 00:00", "2026-12-31 00:00"]),
        ("0 0 1,15,L * *", "2026-11-30 00:00", ["2026-12-01 00:00", "2026-12-15 00:00", "2026-12-31 00:00"]),
        ("0 0 * * 5L", "2026-11-30 00:00", ["2026-12-25 00:00", "2027-01-29 00:00", "2027-02-26 00:00"]),
        ("0 0 * * friL", "2026-11-30 00:00", ["2026-12-25 00:00", "2027-01-29 00:00", "2027-02-26 00:00"]),
        ("0 0 * * FRI#2", "2026-11-30 00:00", ["2026-12-11 00:00", "2027-01-08 00:00", "2027-02-12 00:00"]),
        ("0 0 * * 0#5", "2026-11-30 00:00", ["2027-01-31 00:00", "2027-05-30 00:00", "2027-08-29 00:00"]),
        ("0 0 * * MON#1,MONL", "2026-11-30 00:00", ["2026-12-07 00:00", "2026-12-28 00:00", "2027-01-04 00:00"]),
        ("@hourly", "2026-11-30 23:30", ["2026-12-01 00:00", "2026-12-01 01:00", "2026-12-01 02:00"]),
        ("@daily", "2026-12-31 00:00", ["2027-01-01 00:00", "2027-01-02 00:00", "2027-01-03 00:00"]),
        ("@MIDNIGHT", "2026-12-31 00:00", ["2027-01-01 00:00", "2027-01-02 00:00", "2027-01-03 00:00"]),
        ("@weekly", "2026-11-30 00:00", ["2026-12-06 00:00", "2026-12-13 00:00", "2026-12-20 00:00"]),
        ("@monthly", "2026-11-30 00:00", ["2026-12-01 00:00", "2027-01-01 00:00", "2027-02-01 00:00"]),
        ("@yearly", "2026-11-30 00:00", ["2027-01-01 00:00", "2028-01-01 00:00", "2029-01-01 00:00"]),
        ("  @annually ", "2026-11-30 00:00", ["2027-01-01 00:00", "2028-01-01 00:00", "2029-01-01 00:00"]),
    ])
    func itIsDueAt(expression: String, after: String, times: [String]) throws {
        let cron = try CronExpression(expression)
        let found = Array(cron.occurrences(after: try instant(after), in: FixedOffset.utc).prefix(3))
        let wanted = try times.map { try instant($0) }
        #expect(found == wanted)
        #expect(cron.previous(before: wanted[2], in: FixedOffset.utc) == wanted[1])
        #expect(cron.previous(before: wanted[1] + .milliseconds(1), in: FixedOffset.utc) == wanted[1])
        #expect(cron.next(after: wanted[0] + .milliseconds(1), in: FixedOffset.utc) == wanted[1])
        #expect(cron.everMatches)
    }

    @Test(arguments: ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30,31W FEB ?", "0 0 L-30 2,4 *", "0 0 31 2 *"])
    func whatNeverComesEndsInNothing(expression: String) throws {
        let cron = try CronExpression(expression)
        #expect(!cron.everMatches)
        #expect(cron.next(after: try instant("2026-01-01 00:00"), in: FixedOffset.utc) == nil)
        #expect(cron.previous(before: try instant("2026-01-01 00:00"), in: FixedOffset.utc) == nil)
        #expect(Array(cron.occurrences(after: try instant("2026-01-01 00:00"), in: try zone("Europe/Berlin"))).isEmpty)
    }

    @Test func whatIsRareIsFoundOnBothSides() throws {
        // The fifth Monday of February is a leap day. The star makes both fields of days count.
        let rare = try CronExpression("0 12 */28 2 1#5")
        let zone = try zone("Europe/Berlin")
        #expect(
            shown(rare.next(after: try instant("2026-01-01 00:00"), in: zone), in: zone) == "2044-02-29 12:00 +0100")
        #expect(
            shown(rare.next(after: try instant("2072-03-01 00:00"), in: zone), in: zone) == "2112-02-29 12:00 +0100")
        #expect(
            shown(rare.previous(before: try instant("2026-01-01 00:00"), in: zone), in: zone)
                == "2016-02-29 12:00 +0100")
    }

    @Test func timesAtTheEndsOfTheCalendarAreNoTrap() throws {
        let cron = try CronExpression("* * * * *")
        for microseconds in [Int64.min, .min + 1, -62_135_596_800_000_000, 253_402_300_799_000_000, .max - 1, .max] {
            let time = WallTime(microseconds: microseconds)
            for zone in [try zone("Europe/Berlin"), try zone("Pacific/Apia")] {
                _ = cron.next(after: time, in: zone)
                _ = cron.previous(before: time, in: zone)
            }
        }
        #expect(cron.next(after: WallTime(microseconds: .max), in: FixedOffset.utc) == nil)
        #expect(cron.previous(before: WallTime(microseconds: .min), in: FixedOffset.utc) == nil)
    }

    @Test(arguments: [
        (
            "",
            "the cron expression is empty: it has five fields, minute, hour, day of the month, month, day of the week"
        ),
        (
            "* * *",
            "the cron expression '* * *' has 3 fields, it must have five: minute, hour, day of the month, "
                + "month, day of the week"
        ),
        (
            "0 0 9 * * MON",
            "the cron expression '0 0 9 * * MON' has 6 fields, it must have five: minute, hour, day of "
                + "the month, month, "
                + "day of the week (no seconds, no years)"
        ),
        ("60 * * * *", "the minute '60' must be 0 to 59, a list, a range such as 2-5, or a step such as */2"),
        ("* 24 * * *", "the hour '24' must be 0 to 23, a list, a range such as 2-5, or a step such as */2"),
        (
            "* * 0 * *",
            "the day of the month '0' must be 1 to 31, L, L-3, LW or 15W, a list, a range such as 2-5, or "
                + "a step such as */2"
        ),
        (
            "* * * JUM *",
            "the month 'JUM' must be 1 to 12 or JAN to DEC, a list, a range such as FEB-MAY, or a step such as */2"
        ),
        (
            "* * * * FRY",
            "the day of the week 'FRY' must be 0 to 7 (0 and 7 are Sunday), SUN to SAT, 5L or FRI#2, a "
                + "list, a range such as "
                + "MON-THU, or a step such as */2"
        ),
        ("*/0 * * * *", "the minute '*/0' has the step '0', which must be 1 to 59"),
        ("*/5/5 * * * *", "the minute '*/5/5' has more than one step"),
        ("1,,2 * * * *", "the minute '1,,2' has an empty place in its list"),
        ("* 22-2 * * *", "the hour '22-2' begins after its end: write 22-23,0-2"),
        ("* * * * FRI-MON", "the day of the week 'FRI-MON' begins after its end: write 5-6,0-1"),
        ("* * * * L", "the day of the week 'L' says no day: 6L is the last Saturday of the month, SAT every Saturday"),
        ("* * * * FRI#6", "the day of the week 'FRI#6' must have 1 to 5 after the #"),
        ("* * L-31 * *", "the day of the month 'L-31' must have 1 to 30 after L-"),
        ("* * 32W * *", "the day of the month '32W' must have 1 to 31 or L before the W"),
        (
            "@reboot",
            "'@reboot' is no time that could be scheduled: to record when the host has started, run "
                + "'callbot record' from a "
                + "systemd service"
        ),
        (
            "@fortnightly",
            "unknown name '@fortnightly' in the cron expression: there are @hourly, @daily, @midnight, "
                + "@weekly, @monthly, @yearly "
                + "and @annually"
        ),
        ("@daily 5", "'@daily' stands alone in a cron expression, without further fields"),
    ])
    func mistakesAreNamedInASentence(expression: String, message: String) {
        let error = #expect(throws: CronError.self) { try CronExpression(expression) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        "? * * * *", "* ? * * *", "* * * ? *", "-1 * * * *", "1- * * * *", "-5 * * * *", "1-2-3 * * * *", "*-5 * * * *",
        "+1 * * * *",
        "1.5 * * * *", "0x1 * * * *", "٣ * * * *", "999999999999999999999 * * * *", "* * * * 8", "* * W * *",
        "* * L- * *",
        "* * * * #2", "* * * * 9#1", "* * * * 5#", "* * * L *", "L * * * *", "/5 * * * *", "*/ * * * *", "*/60 * * * *",
        "* * * 13 *",
        "@", "@ daily", "* * 5W-7 * *", "* * 1-5W * *", "5 * * * *, *",
    ])
    func otherMistakesAreRefused(expression: String) {
        #expect(throws: CronError.self) { try CronExpression(expression) }
    }
}
