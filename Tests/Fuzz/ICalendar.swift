// iCalendar files, and what takes place in a month of them. Zones are two, one of them with summer time.
import Calendar
import MediaTypes

func fuzz(_ bytes: [UInt8]) {
    let berlin = POSIXTimeZone("CET-1CEST,M3.5.0,M10.5.0/3")
    guard let calendar = try? ICalendar(parsing: bytes, zones: { $0 == "Europe/Berlin" ? berlin : nil }) else { return }
    precondition(calendar.problems.allSatisfy { $0.line >= 1 })
    let span = WallTime(seconds: 1_774_000_000)..<WallTime(seconds: 1_777_000_000)
    let found = calendar.occurrences(startingIn: span, floatingIn: FixedOffset.utc, limit: 1000).occurrences
    precondition(found.count <= 1000 && found.allSatisfy { span.contains($0.start) })
    precondition(zip(found, found.dropFirst()).allSatisfy { $0.start <= $1.start })
    precondition(found.allSatisfy { event in event.end.map { $0 >= event.start } ?? true })
}
