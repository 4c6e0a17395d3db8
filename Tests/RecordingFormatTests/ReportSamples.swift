import MediaTypes
import RoomProtocol

@testable import RecordingFormat

/// A report with every key.
let fullReport: RecordingReport = {
    var report = RecordingReport(
        id: RecordingID("20261130T040728Z-k3f9"), state: .finished, duration: .seconds(61),
        ending: RecordingEnding(reason: "stopped", message: "Stopped by SIGINT.", exitCode: 0))
    report.participants = [
        ParticipantReport(
            id: ParticipantID("4711"), name: "Åsa", present: .seconds(42),
            offset: .init(
                p95: .milliseconds(12), worst: .milliseconds(30), measured: .seconds(40), basis: .senderReports),
            unrecorded: [.init(kind: .video, codec: .h264, time: .seconds(3))])
    ]
    var sound = TrackReport(RecordedTrack(microphone, started: at(80_000)), to: at(61_000_000))
    sound.expected = .seconds(60)
    sound.received = .seconds(58)
    sound.waited = .milliseconds(40)
    sound.failure = "no space left"
    sound.reception = ReceptionFigures()
    sound.reception?.packets = 3000
    sound.reception?.roundTrip = .milliseconds(3)
    sound.reception?.clockError = .microseconds(-70)
    sound.sound?.concealed = .milliseconds(40)
    sound.sound?.measuredBy = .senderLevels
    sound.gaps = [.init(from: at(1), to: at(2_000_001), reason: .lost)]
    sound.gapCount = 1
    sound.rates.count(bytes: 100, at: at(5_000_000))
    sound.rates.cover(at(5_000_000), at(5_020_000))
    var pictures = TrackReport(RecordedTrack(camera, started: at(80_000)), to: at(61_000_000))
    pictures.pictures?.frozenCount = 2
    pictures.pictures?.measuredBy = .composite
    pictures.layers = [.init(at: at(3), spatial: 1, temporal: 2, requested: 0)]
    pictures.sizes = [.init(at: at(4), size: PixelSize(width: 640, height: 360))]
    report.tracks = [sound, pictures]
    report.composite = CompositeReport(
        state: .live, undecodableFrames: 1, concealedPackets: 2, degradations: [.init(at: at(9), text: "fewer")])
    report.events = [.init(at: at(10), kind: .clock, text: "the wall clock was set by 2 s")]
    report.verdict = Verdict(judging: report)
    return report
}()

/// A call of somebody with a microphone and a camera, gathered without a file. All is well with it until a test spoils it.
struct Gathering {
    var builder = ReportBuilder(knowsLoss: true)
    var manifest = RecordingManifest(
        id: RecordingID("x"), software: "", room: .init(address: ""),
        bot: Participant(id: ParticipantID("bot"), name: "Recorder"), origin: WallTime(microseconds: 0))
    private(set) var tracks: [TrackID: RecordedTrack] = [:]
    static let ada = Participant(id: ParticipantID("4711"), name: "Ada")

    mutating func event(_ event: RoomEvent, at milliseconds: Int64) {
        let time = at(milliseconds * 1000)
        builder.follow(.room(event), at: time)
        manifest.follow(event, at: time)
        switch event {
        case .trackStarted(let track): tracks[track.id] = RecordedTrack(track, started: time)
        case .trackEnded(let id): tracks[id]?.ended = time
        default: break
        }
    }

    mutating func begin(_ publications: TrackPublication...) {
        event(.participantJoined(Self.ada), at: 0)
        for publication in publications { event(.trackStarted(publication), at: 0) }
    }

    private mutating func add(_ frame: EncodedFrame, to id: TrackID, level: SoundLevel? = nil) {
        tracks[id]?.frames += 1
        tracks[id]?.bytes += Int64(frame.payload.count)
        builder.frame(frame, of: id, level: level)
    }

    /// Packets of 20 ms.
    mutating func speak(_ span: Range<Int64>, decibels: Double? = -20, isStated: Bool = true, bytes: Int = 80) {
        for time in stride(from: span.lowerBound, to: span.upperBound, by: 20) {
            add(
                EncodedFrame(
                    codec: .opus, time: at(time * 1000), duration: .milliseconds(20), isKeyframe: true,
                    payload: [UInt8](repeating: 0x78, count: bytes)),
                to: microphone.id, level: decibels.map { SoundLevel(decibels: $0, isStated: isStated) })
        }
    }

    /// Pictures of 40 ms, of which one a second is looked at.
    mutating func film(
        _ span: Range<Int64>, of track: TrackPublication = camera,
        luma: (Int64) -> UInt8? = { UInt8($0 / 40 % 100 + 60) }
    ) {
        for time in stride(from: span.lowerBound, to: span.upperBound, by: 40) {
            add(
                EncodedFrame(
                    codec: .vp8, time: at(time * 1000), isKeyframe: time == span.lowerBound,
                    payload: [UInt8](repeating: 1, count: 1000)),
                to: track.id)
            if time % 1000 < 40, let luma = luma(time) {
                builder.look(PictureLook(luma: [luma, luma / 2]), of: track.id, at: at(time * 1000), by: .composite)
            }
        }
    }

    mutating func lose(_ track: TrackPublication) { builder.lost(of: track.id) }

    func report(until milliseconds: Int64 = 10_000, ending: RecordingEnding? = nil) -> RecordingReport {
        var manifest = manifest
        manifest.state = .finished
        manifest.duration = .milliseconds(milliseconds)
        manifest.end = ending
        manifest.tracks = tracks.values.sorted { $0.id < $1.id }.map {
            var track = $0
            track.ended = track.ended ?? at(milliseconds * 1000)
            return track
        }
        return builder.report(of: manifest, at: at(milliseconds * 1000))
    }
}

extension Verdict {
    var codes: [Code] { reasons.map(\.code) }
}
