import Calendar
import MediaTypes
import TimeZones

/// A zone of the host's database.
func zone(_ name: String) throws -> TransitionTable { try SystemTimeZones().zone(named: name) }

/// An instant, as the clocks of a zone show it, with the offset that says which of two is meant: `2026-03-29 02:30
/// +0100`. Without an offset it is UTC.
func instant(_ text: String) throws -> WallTime {
    let parts = text.split(separator: " ")
    var seconds = try clock(parts.prefix(2).joined(separator: " ")).clockSeconds
    if parts.count > 2, let offset = Int(parts[2]) { seconds -= (offset / 100 * 60 + offset % 100) * 60 }
    return WallTime(seconds: seconds)
}

struct InvalidTestTime: Error { let text: String }

/// `2026-03-29 02:30` or `2026-03-29 02:30:15`
func clock(_ text: String) throws -> CivilDateTime {
    let numbers = text.split { "- :".contains($0) }.compactMap { Int($0) }
    guard numbers.count >= 5, let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]),
        let time = CivilDateTime(date, hour: numbers[3], minute: numbers[4], second: numbers.count > 5 ? numbers[5] : 0)
    else { throw InvalidTestTime(text: text) }
    return time
}

/// What the clocks of a zone show at an instant, with the offset: the inverse of `instant`.
func shown(_ instant: WallTime?, in zone: some TimeZoneRules) -> String? {
    guard let instant else { return nil }
    let offset = zone.offset(at: instant)
    let minutes = abs(offset) / 60
    let clock = zone.clock(at: instant).description
    return (clock.hasSuffix(":00") ? String(clock.dropLast(3)) : clock)
        + " \(offset < 0 ? "-" : "+")\((minutes / 60).padded(2))\((minutes % 60).padded(2))"
}
