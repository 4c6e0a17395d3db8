package import MediaTypes

/// What became of a time at which a schedule was due. Of each there is one entry in the end, unless the clock is put
/// back over one that was missed: then it comes again.
package struct HistoryEntry: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case ran(from: WallTime, to: WallTime)
        case failed(String)
        case missed(MissedReason)
        /// All that was due from the event's time until this one, so much that it is not told one by one.
        case missedUntil(WallTime, MissedReason)
        case skipped(SkipReason)
        case skippedUntil(WallTime, SkipReason)
        /// Somebody who could have started it would not.
        case refused(String)
    }

    package enum MissedReason: Hashable, Sendable {
        case daemonWasNotRunning
        case clockWasSetForward
        /// The host slept or was too busy.
        case wokeTooLate
        /// The schedule was made, or the event entered in the calendar, when its time had passed.
        case enteredTooLate
        /// Another one that was missed as well, or is due now, takes its place.
        case superseded(by: EventID)
        /// It was to start when the daemon ended, and it is over.
        case interrupted
    }

    package enum SkipReason: Hashable, Sendable {
        case paused
        case overlap(with: EventID)
    }

    /// When it was decided.
    package var time: WallTime
    package var event: EventID
    package var outcome: Outcome

    package init(time: WallTime, event: EventID, outcome: Outcome) {
        self.time = time
        self.event = event
        self.outcome = outcome
    }
}

extension HistoryEntry.Outcome: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ran(let from, let to): "ran from \(from.iso8601) to \(to.iso8601)"
        case .failed(let why): "failed: \(why)"
        case .missed(let reason): "missed: \(reason)"
        case .missedUntil(let end, let reason): "missed, with all that was due until \(end.iso8601): \(reason)"
        case .skipped(let reason): "skipped: \(reason)"
        case .skippedUntil(let end, let reason): "skipped, with all that was due until \(end.iso8601): \(reason)"
        case .refused(let why): "refused: \(why)"
        }
    }
}

extension HistoryEntry.MissedReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .daemonWasNotRunning: "the daemon was not running when it was due"
        case .clockWasSetForward: "the clock was set forward over it"
        case .wokeTooLate: "the host was asleep or too busy when it was due"
        case .enteredTooLate: "its time had passed when it was entered"
        case .superseded(let event): "\(event) took its place"
        case .interrupted: "the daemon ended while it was to start"
        }
    }
}

extension HistoryEntry.SkipReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .paused: "the schedule is paused"
        case .overlap(let event): "\(event) was still going on"
        }
    }
}
