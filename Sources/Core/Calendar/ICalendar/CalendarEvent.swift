package import MediaTypes

/// A VEVENT of RFC 5545: something that takes place, once or again and again.
package struct CalendarEvent: Hashable, Sendable {
    /// What all that is said of the same event has in common.
    package var uid: String
    package var summary: String?
    package var location: String?
    package var url: String?
    package var details: String?
    package var isCancelled = false
    /// How often the event was changed, SEQUENCE.
    package var sequence = 0
    package var start: EventTime
    /// DURATION, or DTEND: at most one of them is set.
    package var length: EventLength?
    package var endTime: EventTime?
    package var rules: [RecurrenceRule] = []
    /// RDATE and EXDATE.
    package var additional: [EventTime] = []
    package var excluded: [EventTime] = []
    /// For what replaces one time of an event that comes again: the time that it had, RECURRENCE-ID.
    package var replaces: EventTime?
    /// The line of BEGIN:VEVENT, from 1.
    package var line: Int
}

/// One time at which an event takes place.
package struct EventOccurrence: Hashable, Sendable {
    package var uid: String
    /// When it was to start by the event's own rule; together with the uid, what it is known by although it is moved.
    package var originalStart: WallTime
    package var start: WallTime
    /// Nil when the calendar does not say.
    package var end: WallTime?
    /// Days without a time, such as holidays.
    package var isAllDay: Bool
    package var summary: String?
    package var location: String?
    package var url: String?
    package var details: String?
}

/// What is wrong with a calendar, or with one event in it, and where.
package struct ICalendarError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1, as editors count.
    package let line: Int
    package let reason: String

    init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "line \(line): \(reason)" }
}
