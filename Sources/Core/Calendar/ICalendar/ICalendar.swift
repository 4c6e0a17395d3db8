/// A calendar as iCalendar files hold it (RFC 5545), as far as its events go: what Outlook, Google, Nextcloud and
/// others export.
///
/// The text comes from others. Whatever it says, reading it ends soon and with an answer: a file that is no calendar is
/// an error, an event that cannot be understood is left out and stands among the `problems`.
package struct ICalendar: Sendable {
    /// How large a calendar may be.
    package enum Limits {
        package static let bytes = 16 << 20
        /// Bytes of an unfolded line; descriptions are long, pictures are longer.
        package static let lineBytes = 1 << 20
        package static let events = 20_000
        /// Of one event's RDATE or EXDATE.
        package static let listedTimes = 10_000
        package static let problems = 100
        /// Components within each other.
        package static let depth = 16
        package static let timeZones = 1000
        /// Days and times that are looked at for one question: a second or so of work.
        package static let effort = 5_000_000
    }

    /// What the calendar is called, if it says so.
    package let name: String?
    package let events: [CalendarEvent]
    /// What could not be understood, in the order of the lines.
    package let problems: [ICalendarError]
    /// The rules behind each TZID that is used.
    let zones: [String: any TimeZoneRules]
    /// The zone for times without one, if the calendar names it.
    let ownZone: (any TimeZoneRules)?
}
