package import MediaTypes

/// A recording that is to go, and which rule says so.
package struct Removal: Hashable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        /// It is older than is kept.
        case age
        /// There are more of its room than are kept.
        case countPerRoom = "count-per-room"
        /// There are more than are kept.
        case count
        /// All together take more than they may.
        case bytes
        /// Those of its room take more than they may.
        case bytesPerRoom = "bytes-per-room"
        /// Too little of the disk is free.
        case freeSpace = "free-space"
    }

    package var recording: RetainedRecording
    package var reason: Reason

    package init(_ recording: RetainedRecording, _ reason: Reason) {
        self.recording = recording
        self.reason = reason
    }
}

extension RetentionRules {
    /// Which recordings are to go, the oldest first. What runs, is held or has no known date stays; it counts, though,
    /// where recordings or bytes are counted.
    /// - Parameter free: bytes of the disk that are free now; nil when that is not known.
    package func plan(_ recordings: [RetainedRecording], now: WallTime, free: Int64? = nil) -> [Removal] {
        var plan = Plan(recordings)
        plan.remove(.age) { recording, _ in
            guard let ended = recording.ended, let age = rules(of: recording.room)?.age ?? age else { return false }
            return ended + age < now
        }
        plan.remove(.countPerRoom) { recording, totals in
            guard let most = rules(of: recording.room)?.count ?? countPerRoom else { return false }
            return totals.counts[recording.room, default: 0] > most
        }
        plan.remove(.bytesPerRoom) { recording, totals in
            guard let most = rules(of: recording.room)?.bytes else { return false }
            return totals.roomBytes[recording.room, default: 0] > most
        }
        if let count { plan.remove(.count) { $1.count > count } }
        if let bytes { plan.remove(.bytes) { $1.bytes > bytes } }
        if let freeSpace, let free { plan.remove(.freeSpace) { free &+ $1.removedBytes < freeSpace } }
        return plan.removals
    }
}

/// What is left while a plan is made.
private struct Plan {
    struct Totals {
        var count = 0
        var counts: [String: Int] = [:]
        var bytes: Int64 = 0
        var roomBytes: [String: Int64] = [:]
        var removedBytes: Int64 = 0
    }

    private(set) var removals: [Removal] = []
    private var totals = Totals()
    /// What may go, the oldest first.
    private var candidates: [RetainedRecording]

    init(_ recordings: [RetainedRecording]) {
        totals.count = recordings.count
        for recording in recordings {
            totals.counts[recording.room, default: 0] += 1
            totals.bytes &+= recording.bytes
            totals.roomBytes[recording.room, default: 0] &+= recording.bytes
        }
        candidates = recordings.filter { !$0.isRunning && !$0.isHeld && $0.ended != nil }
        candidates.sort { a, b in
            guard let endOfA = a.ended, let endOfB = b.ended, endOfA != endOfB else { return a.name < b.name }
            return endOfA < endOfB
        }
    }

    mutating func remove(_ reason: Removal.Reason, while isTooMuch: (RetainedRecording, Totals) -> Bool) {
        var kept: [RetainedRecording] = []
        for recording in candidates {
            guard isTooMuch(recording, totals) else {
                kept.append(recording)
                continue
            }
            removals.append(Removal(recording, reason))
            totals.count -= 1
            totals.counts[recording.room, default: 0] -= 1
            totals.bytes &-= recording.bytes
            totals.roomBytes[recording.room, default: 0] &-= recording.bytes
            totals.removedBytes &+= recording.bytes
        }
        candidates = kept
    }
}
