package import MediaTypes

/// What was had of a track. The times add up: `expected` is at least `waited`, `received`, `lost` and `notSent` together.
package struct TrackReport: Hashable, Sendable {
    package var track: TrackID
    package var participant: ParticipantID
    package var kind: MediaKind
    package var source: TrackSource
    package var codec: Codec
    /// The span in which media could come.
    package var from: TimelineTime
    package var to: TimelineTime

    /// The length of that span.
    package var expected = Duration.zero
    /// Media time that frames cover. A picture covers a second at most.
    package var received = Duration.zero
    /// Time that frames should have covered, and were lost on the way.
    package var lost = Duration.zero
    /// Time without frames in which no packet is missing: the sender sent none.
    package var notSent = Duration.zero
    /// Time in which the room had muted it.
    package var muted = Duration.zero
    /// From the start to the first frame; nil when there was none.
    package var waited: Duration?

    /// As in the manifest.
    package var frames = 0
    package var bytes: Int64 = 0
    package var dropped = 0
    package var failure: String?
    /// Nil when it is not known, as of a recording that is read from its files.
    package var reception: ReceptionFigures?
    /// Of sound; nil for pictures.
    package var sound: Sound?
    /// Of pictures; nil for sound.
    package var pictures: Pictures?
    /// The longest of the gaps, in the order of time.
    package var gaps: [Gap] = []
    package var gapCount = 0
    package var layers: [LayerChange] = []
    package var sizes: [RecordedTrack.SizeChange] = []
    package var rates = RateTable()

    /// What was heard.
    package struct Sound: Hashable, Sendable {
        package enum Measure: String, Sendable, CaseIterable {
            /// By the level that the sender states with each packet (RFC 6464).
            case senderLevels = "sender-levels"
            case decoding
            /// Not at all.
            case none
        }
        /// Holes so short that a mix conceals them.
        package var concealed = Duration.zero
        /// Holes that a mix has to leave silent.
        package var missing = Duration.zero
        /// Below -60 dBov, or not sent since there was nothing to hear.
        package var silent = Duration.zero
        package var audible = Duration.zero
        package var measuredBy = Measure.none
        package init() {}
    }

    /// What was seen.
    package struct Pictures: Hashable, Sendable {
        package enum Measure: String, Sendable, CaseIterable {
            /// By the pictures that were decoded for the composite, one a second.
            case composite
            /// By a few pictures after some keyframes.
            case samples
            /// By every picture.
            case decoding
            /// Not at all.
            case none
        }
        /// Spans of more than a second in which pictures were missing.
        package var frozenCount = 0
        package var frozen = Duration.zero
        package var longestFrozen = Duration.zero
        package var black = Duration.zero
        /// Time in which pictures came that did not differ, black ones apart.
        package var still = Duration.zero
        /// Time for which somebody has looked.
        package var seen = Duration.zero
        package var measuredBy = Measure.none
        package init() {}
    }

    /// A span without frames.
    package struct Gap: Hashable, Sendable {
        package enum Reason: String, Sendable, CaseIterable {
            /// Packets were lost.
            case lost
            /// Nothing came of anybody.
            case connection
            /// The room had muted it.
            case muted
            /// The server had nothing from the sender.
            case notReceived = "not-received"
            /// No packet is missing.
            case notSent = "not-sent"
            case unknown
        }
        package var from: TimelineTime
        package var to: TimelineTime
        package var reason: Reason
        package init(from: TimelineTime, to: TimelineTime, reason: Reason) {
            self.from = from
            self.to = to
            self.reason = reason
        }

        package var length: Duration { to - from }
    }

    /// The server began to send another layer.
    package struct LayerChange: Hashable, Sendable {
        package var at: TimelineTime
        package var spatial: Int?
        package var temporal: Int?
        /// The spatial layer that had been asked for last; nil when the server chose by itself.
        package var requested: Int?
        package init(at: TimelineTime, spatial: Int?, temporal: Int?, requested: Int?) {
            self.at = at
            self.spatial = spatial
            self.temporal = temporal
            self.requested = requested
        }
    }

    package init(_ track: RecordedTrack, to end: TimelineTime) {
        self.track = track.id
        participant = track.participant
        kind = track.kind
        source = track.source
        codec = track.codec
        from = track.started
        to = max(track.started, track.ended ?? end)
        frames = track.frames
        bytes = track.bytes
        dropped = track.dropped.total
        failure = track.failure
        sizes = Array(track.sizes.suffix(RecordingReport.mostEntries))
        if kind == .audio { sound = Sound() } else { pictures = Pictures() }
    }
}

extension TrackReport.Gap.Reason {
    /// Whether something is missing that was sent, or may have been.
    package var isLoss: Bool {
        switch self {
        case .lost, .connection, .unknown: true
        case .muted, .notReceived, .notSent: false
        }
    }
}
