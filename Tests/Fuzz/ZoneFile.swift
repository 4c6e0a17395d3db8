// Compiled time zones of the IANA database, and what their clocks show around some instants.
import Calendar
import MediaTypes

func fuzz(_ bytes: [UInt8]) {
    guard let zone = try? TransitionTable(name: "fuzz", zoneFile: bytes) else { return }
    for seconds in [-5_000_000_000, 0, 1_774_746_000, 4_000_000_000] {
        let instant = WallTime(seconds: seconds)
        let clock = zone.clock(at: instant)
        precondition(zone.instants(of: clock).contains(instant), "the clock shows a time that means another instant")
        if let next = zone.transition(after: instant) { precondition(next > instant) }
        _ = zone.instant(of: clock, skipped: .rightAfter)
    }
}
