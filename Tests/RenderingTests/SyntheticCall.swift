import Glibc
import MediaEngines
import MediaTypes
import RoomProtocol

@testable import Rendering

/// A call made up with real encoders: each participant is a colour and a tone. Everything of it is handed to a renderer,
/// or to whoever else takes events and frames, in the order of time.
struct SyntheticCall {
    enum Item {
        case event(RoomEvent)
        case frame(EncodedFrame, TrackID)
    }
    private(set) var items: [(time: TimelineTime, item: Item)] = []

    mutating func add(_ event: RoomEvent, at milliseconds: Int64) { items.append((.ms(milliseconds), .event(event))) }

    mutating func add(_ frame: EncodedFrame, of track: Int) {
        items.append((frame.time, .frame(frame, TrackID(track))))
    }

    mutating func join(_ who: String, at milliseconds: Int64) {
        add(.participantJoined(Participant(id: ParticipantID(who), name: who)), at: milliseconds)
    }

    mutating func start(_ track: Int, of who: String, _ source: TrackSource, at milliseconds: Int64) {
        add(.trackStarted(publication(track, of: who, source)), at: milliseconds)
    }

    mutating func mute(_ track: Int, of who: String, _ isMuted: Bool = true, at milliseconds: Int64) {
        add(
            .trackMuted(ParticipantID(who), publishedAs: MediaSectionID("m\(track)"), isMuted: isMuted),
            at: milliseconds)
    }

    /// A camera that sees the colour of each moment, 25 times a second.
    mutating func film(
        _ track: Int, _ range: Range<Int64>, size: PixelSize = PixelSize(width: 320, height: 180),
        _ colour: (Int64) -> Colour
    ) throws {
        let encoder = try VPXEncoder(
            VPXEncoder.Settings(size: size, bitRate: 400_000, ticksPerSecond: 25, keyframeSeconds: 2))
        let canvas = Canvas(size: size)
        for (tick, time) in stride(from: range.lowerBound, to: range.upperBound, by: 40).enumerated() {
            canvas.clear(colour(time))
            guard var frame = try encoder.encode(canvas, at: Int64(tick)) else { continue }
            frame.time = .ms(time)
            add(frame, of: track)
        }
    }

    /// A microphone that hears a tone of some loudness at each moment.
    mutating func sing(_ track: Int, _ range: Range<Int64>, hertz: Double, _ level: (Int64) -> Float = { _ in 0.3 })
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
    mutating func lose(_ isLost: (EncodedFrame, TrackID) -> Bool) {
        items.removeAll { if case .frame(let frame, let id) = $0.item { isLost(frame, id) } else { false } }
    }

    /// All items by time; at equal times events come first.
    var sorted: [(time: TimelineTime, item: Item)] {
        items.enumerated().sorted { a, b in
            let (left, right) = (a.element, b.element)
            if left.time != right.time { return left.time < right.time }
            return a.offset < b.offset
        }.map(\.element)
    }

    /// Hands everything before `end` to a renderer, as a call does, and returns the file.
    func render(
        _ settings: RenderSettings = .small, until end: Int64, advancingBy step: Int64 = 200
    ) throws -> RenderedFile {
        let output = MemoryOutput()
        let renderer = try Renderer(settings, output: output)
        var told = TimelineTime.zero
        for (time, item) in sorted where time < .ms(end) {
            while told + .milliseconds(step) <= time {
                told = told + .milliseconds(step)
                try renderer.advance(to: told)
            }
            switch item {
            case .event(let event): renderer.handle(event, at: time)
            case .frame(let frame, let id): renderer.frame(frame, of: id)
            }
        }
        let summary = try renderer.finish(at: .ms(end))
        return try RenderedFile(output.bytes, summary)
    }
}

func publication(_ track: Int, of who: String, _ source: TrackSource) -> TrackPublication {
    let isSound = source == .microphone
    return TrackPublication(
        id: TrackID(track), participant: ParticipantID(who), kind: isSound ? .audio : .video, source: source,
        codec: isSound ? .opus : .vp8, description: "", publishedAs: MediaSectionID("m\(track)"),
        section: MediaSectionID("s\(track)"))
}

extension TimelineTime {
    static func ms(_ milliseconds: Int64) -> TimelineTime { TimelineTime(microseconds: milliseconds * 1000) }
}

extension RenderSettings {
    static var small: RenderSettings {
        var settings = RenderSettings()
        settings.size = PixelSize(width: 320, height: 180)
        settings.videoBitRate = 800_000
        settings.hasLabels = false
        return settings
    }
}

final class MemoryOutput: RenderOutput {
    private(set) var bytes: [UInt8] = []
    func append(_ bytes: [UInt8]) { self.bytes += bytes }
    func patch(offset: Int64, _ bytes: [UInt8]) {
        self.bytes.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes)
    }
}
