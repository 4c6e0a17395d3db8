import MediaTypes

/// Finds out where decoding can start: at the keyframes of pictures, else anywhere, at most twice a second. However long
/// the file is, there are not more cues than make sense.
struct CueCollector: Sendable {
    private static let most = 1 << 16

    private(set) var points: [CuePoint] = []
    private let tracks: Set<UInt64>
    private let needsKeyframes: Bool
    /// The time of each track's last cue.
    private var latest: [UInt64: Int64] = [:]
    /// Ticks that lie between two cues of a track at least.
    private var spacing: Int64

    init(tracks: [SegmentSurvey.Track], ticksPerSecond: Int64) {
        let pictures = tracks.filter { $0.kind == .video && $0.hasKeyframes }
        needsKeyframes = !pictures.isEmpty
        self.tracks = Set((needsKeyframes ? pictures : Array(tracks.filter { $0.frames > 0 }.prefix(1))).map(\.number))
        spacing = ticksPerSecond / 2
    }

    mutating func take(_ track: UInt64, _ time: Int64, _ isKeyframe: Bool, at cluster: Int64) {
        guard tracks.contains(track), isKeyframe || !needsKeyframes, let number = Int(exactly: track) else { return }
        if let last = latest[track], (time &- last).magnitude < UInt64(max(0, spacing)) { return }
        latest[track] = time
        points.append(CuePoint(time: max(0, time), trackNumber: number, clusterPosition: cluster))
        if points.count >= Self.most {
            points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            spacing = max(1, spacing.multipliedReportingOverflow(by: 2).partialValue)
        }
    }
}
