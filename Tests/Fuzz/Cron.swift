// Cron expressions, and when they are due by the clocks of a zone whose clocks are put forward and back.
import Calendar
import MediaTypes

let zone = POSIXTimeZone("CET-1CEST,M3.5.0,M10.5.0/3") ?? POSIXTimeZone("UTC0")

func fuzz(_ bytes: [UInt8]) {
    guard let zone, let cron = try? CronExpression(String(decoding: bytes, as: UTF8.self)) else { return }
    guard let again = try? CronExpression(cron.description), again == cron else {
        preconditionFailure("read again, it differs")
    }
    let start = WallTime(seconds: 1_774_000_000)
    guard let first = cron.next(after: start, in: zone) else {
        precondition(!cron.everMatches, "due some day, but never")
        return
    }
    precondition(cron.everMatches && first > start)
    guard let second = cron.next(after: first, in: zone) else { return }
    precondition(second > first)
    precondition(cron.previous(before: second, in: zone) == first, "back from the next is not where it began")
}
