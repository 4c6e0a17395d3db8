import CallbotTesting
import Glibc
package import MediaEngines
package import MediaTypes
package import RoomProtocol

/// A call made up with real encoders: each participant is a colour and a tone. Everything of it is handed to
/// whoever takes events and frames, in the order of time.
package struct SyntheticCall {
    package enum Item {
        case event(RoomEvent)
        case frame(EncodedFrame, TrackID)
    }
    package init() {}

    package private(set) var items: [(time: TimelineTime, item: Item)] = []

    package mutating func add(_ event: RoomEvent, at milliseconds: Int64) {
        items.append((.ms(milliseconds), .event(event)))
    }

    package mutating func add(_ frame: EncodedFrame, of track: Int) {
        items.append((frame.time, .frame(frame, TrackID(track))))
    }

    package mutating func join(_ who: String, at milliseconds: Int64) {
        add(.participantJoined(Participant(id: ParticipantID(who), name: who)), at: milliseconds)
    }

    package mutating func start(_ track: Int, of who: String, _ source: TrackSource, at milliseconds: Int64) {
        add(.trackStarted(publication(track, of: who, source)), at: milliseconds)
    }

    package mutating func mute(_ track: Int, of who: String, _ isMuted: Bool = true, at milliseconds: Int64) {
        add(
            .trackMuted(ParticipantID(who), publishedAs: MediaSectionID("m\(track)"), isMuted: isMuted),
            at: milliseconds)
    }

    /// A camera that sees the colour of each moment, 25 times a second.
    package mutating func film(
        _ track: Int, _ range: Range<Int64>, size: PixelSize = PixelSize(width: 320, height: 180),
        _ colour: (Int64) -> Colour
    ) throws {
        try film(track, range, size: size) { canvas, time in canvas.clear(colour(time)) }
    }

    /// A camera that sees what is painted for each moment.
    package mutating func film(
        _ track: Int, _ range: Range<Int64>, size: PixelSize = PixelSize(width: 320, height: 180),
        painting: (Canvas, Int64) -> Void
    ) throws {
        let encoder = try VPXEncoder(
            VPXEncoder.Settings(size: size, bitRate: 400_000, ticksPerSecond: 25, keyframeSeconds: 2))
        let canvas = Canvas(size: size)
        for (tick, time) in stride(from: range.lowerBound, to: range.upperBound, by: 40).enumerated() {
            painting(canvas, time)
            guard var frame = try encoder.encode(canvas, at: Int64(tick)) else { continue }
            frame.time = .ms(time)
            add(frame, of: track)
        }
    }

    /// A microphone that hears a tone of some loudness at each moment.
    package mutating func sing(
        _ track: Int, _ range: Range<Int64>, hertz: Double, _ level: (Int64) -> Float = { _ in 0.3 }
    )
        throws
    {
        let encoder = try OpusEncoder(OpusEncoder.Settings(bitRate: 64_000))
        for time in stride(from: range.lowerBound, to: range.upperBound, by: 20) {
            let samples = (0..<960).flatMap { index -> [Float] in
                let position = Double(time) * 48 + Double(index)
                let sample = level(Int64(position / 48)) * Float(sin(2 * Double.pi * hertz * position / 48_000))
                return [sample, sample]
            }
            add(
                EncodedFrame(
                    codec: .opus, time: .ms(time), duration: .milliseconds(20), isKeyframe: true,
                    payload: try encoder.encode(samples)), of: track)
        }
    }

    /// Leaves out frames, as a network does.
    package mutating func lose(_ isLost: (EncodedFrame, TrackID) -> Bool) {
        items.removeAll { if case .frame(let frame, let id) = $0.item { isLost(frame, id) } else { false } }
    }

    /// All items by time; at equal times events come first.
    package var sorted: [(time: TimelineTime, item: Item)] {
        items.enumerated().sorted { a, b in
            let (left, right) = (a.element, b.element)
            if left.time != right.time { return left.time < right.time }
            return a.offset < b.offset
        }.map(\.element)
    }
}

package func publication(_ track: Int, of who: String, _ source: TrackSource) -> TrackPublication {
    let isSound = source == .microphone
    return TrackPublication(
        id: TrackID(track), participant: ParticipantID(who), kind: isSound ? .audio : .video, source: source,
        codec: isSound ? .opus : .vp8, description: "", publishedAs: MediaSectionID("m\(track)"),
        section: MediaSectionID("s\(track)"))
}
