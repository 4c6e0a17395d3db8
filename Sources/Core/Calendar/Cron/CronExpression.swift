/// When something is due again and again, as crontab(5) says it: minute, hour, day of the month, month, day of the
/// week.
///
/// Each field is a list of `*`, numbers, ranges `8-18` and steps `*/15`, `8-18/2`, `5/10` (from 5 on); months and days
/// of the week may be named (`JAN`, `mon`), and Sunday is 0 as well as 7. `?` stands for `*` in the fields of days.
/// Days of the month may be `L` (the last), `L-3` (the third before it), `15W` (the working day, Monday to Friday,
/// nearest to the 15th in the same month) and `LW` (the last working day); days of the week `5L` (the last Friday) and
/// `FRI#2` (the second). `@hourly`, `@daily` or `@midnight`, `@weekly`, `@monthly`, `@yearly` or `@annually` stand for
/// whole expressions.
///
/// When both fields of days are restricted, a day that fits either is taken; a field that begins with `*` or `?` is no
/// restriction, and then both must fit. That is what Vixie cron does.
///
/// When clocks are put forward or back, it depends on whether the minute or the hour begins with `*`, again as in cron:
/// - If neither does, the job has its fixed times. One that the clocks skip is due at the moment at which they are put
///   forward (several of them once); one that they show twice is due the first time only. Where clocks are put
///   forward by more than three hours, as when Samoa left out a day, what is skipped is left out.
/// - If one does, the job is due whenever the clocks show a time that fits: every hour is every hour that passes, and
///   what the clocks skip is never shown.
package struct CronExpression: Hashable, Sendable, CustomStringConvertible {
    /// Bits 0...59.
    let minutes: UInt64
    /// Bits 0...23.
    let hours: UInt64
    /// Bits 1...12.
    let months: UInt64
    let days: CronDays
    /// Whether it follows the time that passes rather than the time on the clock: see above.
    package let isElapsed: Bool
    /// As it was written, without spaces around it.
    package let description: String

    /// Parses five fields with white space between them, or one of the names that begin with `@`.
    package init(_ text: String) throws(CronError) {
        guard text.utf8.count <= 1000 else {
            throw CronError("the cron expression is longer than 1000 characters")
        }
        let written = text.split(whereSeparator: \.isWhitespace)
        description = written.joined(separator: " ")
        let fields = try Self.expanded(written)
        minutes = try CronField.minute.mask(fields[0])
        hours = try CronField.hour.mask(fields[1])
        months = try CronField.month.mask(fields[3])
        days = CronDays(
            ofMonth: try CronField.dayOfMonth.days(fields[2]), ofWeek: try CronField.dayOfWeek.days(fields[4]),
            eitherSuffices: ![fields[2], fields[4]].contains { $0.hasPrefix("*") || $0.hasPrefix("?") })
        isElapsed = fields[0].hasPrefix("*") || fields[1].hasPrefix("*")
    }

    /// Whether there is any day that it names; not so for 30 February.
    package var everMatches: Bool {
        // Over 400 years each month begins on each day of the week, February in leap years too.
        (1...12).contains { month in
            guard months >> UInt64(month) & 1 == 1 else { return false }
            let lengths = month == 2 ? [28, 29] : [CivilDate.days(inMonth: month, of: 2001)]
            return lengths.contains { length in
                Weekday.allCases.contains { days.mask(monthLength: length, firstWeekday: $0) != 0 }
            }
        }
    }

    private static func expanded(_ words: [Substring]) throws(CronError) -> [String] {
        guard let first = words.first else {
            throw CronError("the cron expression is empty: it has five fields, \(CronField.order)")
        }
        if first.hasPrefix("@") {
            let name = first.lowercased()
            guard words.count == 1 else {
                throw CronError("'\(first.quotable)' stands alone in a cron expression, without further fields")
            }
            guard name != "@reboot" else {
                throw CronError(
                    "'@reboot' is no time that could be scheduled: to record when the host has started, run "
                        + "'callbot record' from a systemd service")
            }
            guard let meaning = names[name] else {
                throw CronError("unknown name '\(first.quotable)' in the cron expression: \(knownNames)")
            }
            return meaning
        }
        guard words.count == 5 else {
            let hint = words.count == 6 || words.count == 7 ? " (no seconds, no years)" : ""
            let count = "\(words.count) field\(words.count == 1 ? "" : "s")"
            throw CronError(
                "the cron expression '\(words.joined(separator: " ").quotable)' has \(count), it must have five: "
                    + CronField.order + hint)
        }
        return words.map { $0.uppercased() }
    }

    private static let names: [String: [String]] = [
        "@hourly": ["0", "*", "*", "*", "*"],
        "@daily": ["0", "0", "*", "*", "*"],
        "@midnight": ["0", "0", "*", "*", "*"],
        "@weekly": ["0", "0", "*", "*", "0"],
        "@monthly": ["0", "0", "1", "*", "*"],
        "@yearly": ["0", "0", "1", "1", "*"],
        "@annually": ["0", "0", "1", "1", "*"],
    ]
    private static let knownNames = "there are @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually"
}

extension StringProtocol {
    /// What of a text can be repeated in a message: not too much of it, and no control characters.
    var quotable: String {
        let short = String(prefix(60).map { $0.unicodeScalars.contains { $0.value < 0x20 } ? " " : $0 })
        return count > 60 ? short + "…" : short
    }
}
