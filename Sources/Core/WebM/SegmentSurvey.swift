package import MediaTypes

/// What is in a WebM or Matroska file of any maker, how much of it is good, and whether it was finished. Made by reading
/// the file once from beginning to end.
package struct SegmentSurvey: Sendable {
    /// Why nothing can be made of a file.
    package enum Problem: Error, Hashable, Sendable {
        /// It does not begin as such a file does.
        case notMatroska
        /// It ends, or makes no sense, before it has said which tracks it has.
        case noTracks
        /// Several files, one behind the other.
        case severalFiles
    }

    /// What was found of one track.
    package struct Track: Hashable, Sendable {
        package var number: UInt64
        /// Nil for subtitles and the like.
        package var kind: MediaKind?
        /// As in the file: `A_OPUS`, `V_VP8`.
        package var codecID = ""
        /// Of pictures, as declared.
        package var size: PixelSize?
        /// Of sound, as declared.
        package var channels: Int?
        package var frames = 0
        /// Of the frames.
        package var bytes: Int64 = 0
        package var firstFrame: TimelineTime?
        package var lastFrame: TimelineTime?
        /// When the last frame is over, as far as that is known.
        package var end: TimelineTime?
        package var hasKeyframes = false
    }

    /// An element that is kept as it is.
    struct Part: Hashable, Sendable {
        var element: EBMLElement
        var range: Range<Int64>
        var isBeforeClusters: Bool
    }

    package internal(set) var problem: Problem?
    package internal(set) var tracks: [Track] = []
    /// What the file says of its length; nil when it says nothing.
    package internal(set) var duration: Duration?
    /// Where the number stands that says it, and how many bytes it has: 4 or 8.
    package internal(set) var durationField: (offset: Int64, length: Int)?
    package internal(set) var title = ""
    package internal(set) var dateUTC: WallTime?
    /// The values of the tags on the whole file, by name.
    package internal(set) var tags: [String: String] = [:]
    /// Bytes that are of no use: torn, or without sense.
    package internal(set) var damagedBytes: Int64 = 0
    /// Whether the file was finished and is whole: size, duration, cues and the table of its parts are there and right.
    package internal(set) var isWhole = false

    var header: Range<Int64> = 0..<0
    var parts: [Part] = []
    /// Nanoseconds in a tick.
    var timestampScale: Int64 = 1_000_000
    /// The Info element's children that stay.
    var info: [UInt8] = []

    /// When the last frame of any track is over.
    package var end: TimelineTime { tracks.compactMap(\.end).max() ?? .zero }

    package func has(_ kind: MediaKind) -> Bool { tracks.contains { $0.kind == kind } }

    var tracksPart: Part? { parts.first { $0.element == .tracks } }

    func has(_ element: EBMLElement) -> Bool { parts.contains { $0.element == element } }

    /// Times that no clock has come near; beyond, sums might overflow.
    static let latest: Int64 = 1 << 60

    func time(ofTicks ticks: Int64) -> TimelineTime {
        let (nanoseconds, overflow) = ticks.multipliedReportingOverflow(by: timestampScale)
        let bounded = overflow ? (ticks < 0 ? -Self.latest : Self.latest) : nanoseconds
        return TimelineTime(microseconds: min(max(bounded / 1000, -Self.latest), Self.latest))
    }

    /// A time in the file's ticks.
    func ticks(of duration: Duration) -> Double { Double(duration.nanoseconds) / Double(timestampScale) }

    /// A duration as it is to stand in a `durationField` of eight bytes.
    package func durationBytes(_ duration: Duration) -> [UInt8] {
        bigEndian(max(0, ticks(of: duration)).bitPattern, count: 8)
    }
}

extension SegmentSurvey {
    /// Reads a file.
    /// - Parameters:
    ///   - length: its bytes.
    ///   - read: reads at an offset; fewer bytes than asked for only at the file's end.
    ///   - progress: called now and then with how far it is.
    package init<Failure>(
        length: Int64, progress: (_ offset: Int64) -> Void = { _ in },
        read: @escaping (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        var reading = SegmentReading(window: ByteWindow(length: length, read: read))
        self = try reading.survey(progress: progress)
    }

    /// When the last frame is over, by looking only at the last cluster. Nil when there is none.
    package static func end<Failure>(
        length: Int64, read: @escaping (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> TimelineTime? {
        var reading = SegmentReading(window: ByteWindow(length: length, piece: 4096, read: read))
        let survey = try reading.glance()
        return survey.problem == nil ? survey.tracks.compactMap(\.end).max() : nil
    }
}
