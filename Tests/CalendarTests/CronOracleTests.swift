import Calendar
import CallbotTesting
import MediaTypes
import Testing

/// The search for the next due time against one that looks at every minute, written from the rules alone: it reads the
/// fields anew and knows nothing of bits, months or changes of clocks other than the offset at each minute.
@Suite struct CronOracleTests {
    static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia",
        "Africa/Casablanca", "America/St_Johns", "Asia/Kathmandu",
    ]

    @Test(arguments: zones.indices) func searchAgreesWithAWalkThroughTheMinutes(index: Int) throws {
        var random = SeededGenerator(seed: 77 + UInt64(index))
        let zone = try zone(Self.zones[index])
        // Around the changes of 2011 (Samoa's day), 2017, 2018 (Brazil) and 2026, and around leap days and year ends.
        let starts = [
            "2011-12-28 20:00", "2011-03-31 00:00", "2017-10-13 00:00", "2018-02-16 18:00", "2018-11-03 00:00",
            "2026-03-07 00:00",
            "2026-03-21 12:00", "2026-03-28 12:00", "2026-10-03 00:00", "2026-10-24 12:00", "2026-10-31 18:00",
            "2026-02-14 12:00",
            "2028-02-28 00:00", "2026-12-30 18:00", "2026-04-04 00:00", "2009-10-31 12:00",
        ]
        var total = 0
        for round in 0..<48 {
            let start = try instant(starts[round % starts.count]) + .seconds(Int.random(in: 0..<86_400, using: &random))
            let expression = Self.randomExpression(&random)
            let end = start + .seconds(5 * 86_400)
            let cron = try CronExpression(expression)
            let walked = Self.walk(expression, after: start, before: end, in: zone)
            let found = Array(cron.occurrences(after: start, in: zone).prefix { $0 < end })
            #expect(found == walked, "'\(expression)' in \(zone.name) after \(start.iso8601)")
            total += walked.count
            if let last = walked.last {
                #expect(cron.previous(before: end, in: zone) == last, "'\(expression)' in \(zone.name)")
            }
        }
        #expect(total > 500)
    }

    static func randomExpression(_ random: inout SeededGenerator) -> String {
        func one(_ range: ClosedRange<Int>) -> String { String(Int.random(in: range, using: &random)) }
        func field(_ range: ClosedRange<Int>, star: Double) -> String {
            if random.chance(star) { return "*" }
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ -> String in
                let low = Int.random(in: range, using: &random)
                let high = Int.random(in: low...range.upperBound, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: return "\(low)-\(high)"
                case 1: return "\(low)-\(high)/\(Int.random(in: 1...7, using: &random))"
                case 2: return "\(low)/\(Int.random(in: 2...7, using: &random))"
                case 3 where range.upperBound > 7: return "*/\(Int.random(in: 2...11, using: &random))"
                default: return "\(low)"
                }
            }
            return parts.joined(separator: ",")
        }
        let hour =
            random.chance(0.5)
            ? ["0", "1", "2", "3", "0,23", "1-3", "2,14"].randomElement(using: &random) ?? "2"
            : field(0...23, star: 0.5)
        var day = field(1...31, star: 0.6)
        if random.chance(0.2) {
            day = ["L", "L-1", "LW", "\(one(1...31))W", "1W", "?"].randomElement(using: &random) ?? "L"
        }
        var weekday = field(0...7, star: 0.6)
        if random.chance(0.2) {
            weekday =
                ["SAT", "\(one(0...7))L", "\(one(0...7))#\(one(1...5))", "?", "MON-FRI", "sat-sun"].randomElement(
                    using: &random) ?? "SUN"
        }
        return [field(0...59, star: 0.3), hour, day, field(1...12, star: 0.85), weekday].joined(separator: " ")
    }

    // MARK: The walk

    static func walk(_ expression: String, after start: WallTime, before end: WallTime, in zone: TransitionTable)
        -> [WallTime]
    {
        let texts = expression.lowercased().split(separator: " ").map(String.init)
        let fields = Fields(texts)
        let isWild = texts[0].first == "*" || texts[1].first == "*"
        var due: [WallTime] = []
        // All offsets of these years are whole minutes. A fixed job
        // remembers what the clocks have shown before, for which the walk begins two days earlier.
        var shownBefore: Set<Int> = []
        var minute = (start.wholeSeconds - 2 * 86_400) / 60
        var last = minute + zone.offset(at: WallTime(seconds: minute * 60)) / 60 - 1
        while minute * 60 < end.wholeSeconds {
            let instant = WallTime(seconds: minute * 60)
            let shown = minute + zone.offset(at: instant) / 60
            var isDue: Bool
            if isWild {
                isDue = fields.fit(shown)
            } else {
                isDue = !shownBefore.contains(shown) && fields.fit(shown)
                let skipped = shown - last - 1
                if (1...180).contains(skipped) {
                    isDue = isDue || (last + 1..<shown).contains { fields.fit($0) }
                }
            }
            if isDue, instant > start { due.append(instant) }
            shownBefore.insert(shown)
            last = shown
            minute += 1
        }
        return due
    }

    /// The fields of an expression, each asked about every value that it can have.
    final class Fields {
        let minutes: Set<Int>
        let hours: Set<Int>
        let months: Set<Int>
        let texts: [String]
        private var days: [Int: Bool] = [:]

        init(_ fields: [String]) {
            texts = fields
            minutes = Set((0...59).filter { CronOracleTests.fits($0, fields[0], 0, 59) })
            hours = Set((0...23).filter { CronOracleTests.fits($0, fields[1], 0, 23) })
            months = Set((1...12).filter { CronOracleTests.fits($0, fields[3], 1, 12) })
        }

        /// Whether a minute on the clock fits.
        func fit(_ minute: Int) -> Bool {
            let day = minute / 1440
            guard minutes.contains(minute % 60), hours.contains(minute / 60 % 24) else { return false }
            if let known = days[day] { return known }
            let date = CivilDate(dayNumber: day)
            let byMonth = texts[2].split(separator: ",").contains { CronOracleTests.fitsDay(date, String($0)) }
            let byWeek = texts[4].split(separator: ",").contains { CronOracleTests.fitsWeekday(date, String($0)) }
            let isOpen = "*?".contains(texts[2].first ?? "*") || "*?".contains(texts[4].first ?? "*")
            let fits = months.contains(date.month) && (isOpen ? byMonth && byWeek : byMonth || byWeek)
            days[day] = fits
            return fits
        }
    }

    static func fits(_ value: Int, _ field: String, _ low: Int, _ high: Int) -> Bool {
        field.split(separator: ",").contains { part in
            let pieces = part.split(separator: "/")
            let step = pieces.count > 1 ? Int(pieces[1]) ?? 1 : 1
            var from = low
            var to = high
            if pieces[0] != "*", pieces[0] != "?" {
                let ends = pieces[0].split(separator: "-").compactMap { Int($0) }
                from = ends[0]
                to = ends.count > 1 ? ends[1] : pieces.count > 1 ? high : ends[0]
            }
            return value >= from && value <= to && (value - from) % step == 0
        }
    }

    static func fitsDay(_ date: CivilDate, _ part: String) -> Bool {
        let length = CivilDate.days(inMonth: date.month, of: date.year)
        func isWorking(_ day: Int) -> Bool {
            guard let other = CivilDate(year: date.year, month: date.month, day: day) else { return false }
            return other.weekday != .saturday && other.weekday != .sunday
        }
        switch part {
        case "l": return date.day == length
        case "lw":
            return isWorking(date.day)
                && !(date.day + 1 < length + 1 && (date.day + 1...length).contains(where: isWorking))
        case _ where part.hasPrefix("l-"): return date.day == length - (Int(part.dropFirst(2)) ?? 0)
        case _ where part.hasSuffix("w"):
            let wanted = Int(part.dropLast()) ?? 0
            guard wanted <= length, isWorking(date.day) else { return false }
            let nearest = (1...length).filter(isWorking).min { abs($0 - wanted) < abs($1 - wanted) }
            return date.day == nearest
        default: return fits(date.day, part, 1, 31)
        }
    }

    static func fitsWeekday(_ date: CivilDate, _ part: String) -> Bool {
        let names = ["sun": "0", "mon": "1", "fri": "5", "sat": "6"]
        let weekday = date.weekday.rawValue
        let length = CivilDate.days(inMonth: date.month, of: date.year)
        if part == "mon-fri" { return (1...5).contains(weekday) }
        if part == "sat-sun" { return weekday == 0 || weekday == 6 }
        if part.hasSuffix("l") {
            return weekday == (Int(part.dropLast()) ?? 0) % 7 && date.day + 7 > length
        }
        if let mark = part.firstIndex(of: "#") {
            return weekday == (Int(part[..<mark]) ?? 0) % 7
                && (date.day - 1) / 7 + 1 == Int(part[part.index(after: mark)...])
        }
        let number = names[part] ?? part
        // A step that begins at a day ends with Saturday.
        let high = number.hasPrefix("7") ? 7 : 6
        return fits(weekday, number, 0, high)
            || weekday == 0 && fits(7, number, 0, number.contains("/") && !number.contains("-") ? high : 7)
    }
}
