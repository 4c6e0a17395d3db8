package import MediaTypes
import RoomProtocol

/// Who spoke when, by what the journal says of it: from when somebody began until they stopped, left, or nobody recorded.
package struct SpeakingTurns: Sendable {
    package struct Turn: Hashable, Sendable {
        package var from: TimelineTime
        /// Nil while it lasts.
        package var to: TimelineTime?

        package init(from: TimelineTime, to: TimelineTime?) {
            self.from = from
            self.to = to
        }
    }

    /// Of one person no more are kept.
    private static let most = 50_000

    private var known: [ParticipantID: [Turn]] = [:]
    private var since: [ParticipantID: TimelineTime] = [:]

    package init() {}

    /// Somebody's, in the order of time.
    package func turns(of id: ParticipantID) -> [Turn] { (known[id] ?? []).sorted { $0.from < $1.from } }

    package mutating func follow(_ event: JournalEvent, at time: TimelineTime) {
        let time = time.plausible
        switch event {
        case .room(.speaking(let id, isSpeaking: true)): if since[id] == nil { since[id] = time }
        case .room(.speaking(let id, isSpeaking: false)), .room(.participantLeft(let id, _)): end(id, at: time)
        case .recordingResumed(let last): for id in Array(since.keys) { end(id, at: last.plausible) }
        case .recordingEnded: for id in Array(since.keys) { end(id, at: time) }
        default: break
        }
    }

    /// There is no more in the journal.
    /// - Parameter end: of the recording; nil while it is made.
    package mutating func finish(at end: TimelineTime?) {
        for id in Array(since.keys) { self.end(id, at: end) }
    }

    private mutating func end(_ id: ParticipantID, at time: TimelineTime?) {
        guard let from = since.removeValue(forKey: id), known[id, default: []].count < Self.most,
            time.map({ $0 > from }) ?? true
        else { return }
        known[id, default: []].append(Turn(from: from, to: time))
    }
}

extension TimelineTime {
    /// The same, within what a recording can have: from its zero to ten years.
    package var plausible: TimelineTime {
        TimelineTime(microseconds: min(max(0, microseconds), 315_360_000_000_000))
    }
}
