package import MediaTypes

/// `report.json`: how good a recording is, and what was measured to say so. Made from the same state as the manifest.
package struct RecordingReport: Hashable, Sendable {
    package static let version = 1
    /// Entries that a list has at most, however long the call.
    static let mostEntries = 200

    package var id: RecordingID
    package var state: RecordingManifest.State
    /// What it is about: from the timeline's zero on.
    package var duration: Duration
    package var ending: RecordingEnding?
    package var verdict = Verdict()
    package var participants: [ParticipantReport] = []
    package var tracks: [TrackReport] = []
    /// Nil when none was asked for.
    package var composite: CompositeReport?
    /// What happened to the recording itself.
    package var events: [Event] = []

    package struct Event: Hashable, Sendable {
        package enum Kind: String, Sendable, CaseIterable { case failed, gap, disk, clock, dropped }
        package var at: TimelineTime
        package var kind: Kind
        package var text: String
        package init(at: TimelineTime, kind: Kind, text: String) {
            self.at = at
            self.kind = kind
            self.text = text
        }
    }

    package init(
        id: RecordingID, state: RecordingManifest.State, duration: Duration, ending: RecordingEnding? = nil
    ) {
        self.id = id
        self.state = state
        self.duration = duration
        self.ending = ending
    }
}

/// What was had of somebody.
package struct ParticipantReport: Hashable, Sendable {
    /// How far sound and picture were apart, by what the dates of both were later known to be worth.
    package struct Offset: Hashable, Sendable {
        package enum Basis: String, Sendable, CaseIterable {
            /// The sender's reports tell how its clocks go together.
            case senderReports = "sender-reports"
            /// There were none: only arrivals tell, and a delay that one of both has alone is not seen.
            case arrivals
        }
        /// What 95 of 100 seconds did not exceed, and what none did.
        package var p95: Duration
        package var worst: Duration
        /// Over how long it was measured.
        package var measured: Duration
        package var basis: Basis
        package init(p95: Duration, worst: Duration, measured: Duration, basis: Basis) {
            self.p95 = p95
            self.worst = worst
            self.measured = measured
            self.basis = basis
        }
    }

    /// A track that was offered and never subscribed to.
    package struct Unrecorded: Hashable, Sendable {
        package var kind: MediaKind
        /// Nil where the room does not say.
        package var codec: Codec?
        package var time: Duration
        package init(kind: MediaKind, codec: Codec?, time: Duration) {
            self.kind = kind
            self.codec = codec
            self.time = time
        }
    }

    package var id: ParticipantID
    package var name: String
    /// How long they were there.
    package var present: Duration
    /// Nil for somebody without sound or without picture.
    package var offset: Offset?
    package var unrecorded: [Unrecorded]

    package init(
        id: ParticipantID, name: String, present: Duration, offset: Offset? = nil, unrecorded: [Unrecorded] = []
    ) {
        self.id = id
        self.name = name
        self.present = present
        self.offset = offset
        self.unrecorded = unrecorded
    }

    /// What people call them.
    package var label: String { name.isEmpty ? id.value : name }
}

/// What became of the composite.
package struct CompositeReport: Hashable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// It is being drawn.
        case drawing
        /// It was drawn during the call.
        case live
        /// It was made from the capture, after the call.
        case afterwards
        /// It was made from the capture, and ends before the call did: somebody was in a hurry.
        case shortened
        /// It was left for somebody to make from the capture, after the call.
        case deferred
        case missing
    }

    package struct Degradation: Hashable, Sendable {
        package var at: TimelineTime
        package var text: String
        package init(at: TimelineTime, text: String) {
            self.at = at
            self.text = text
        }
    }

    package var state: State
    /// Frames that no picture or sound could be decoded from.
    package var undecodableFrames: Int
    /// Lost packets of sound that were concealed in the mix.
    package var concealedPackets: Int
    package var degradations: [Degradation]

    package init(
        state: State, undecodableFrames: Int = 0, concealedPackets: Int = 0, degradations: [Degradation] = []
    ) {
        self.state = state
        self.undecodableFrames = undecodableFrames
        self.concealedPackets = concealedPackets
        self.degradations = degradations
    }
}
