import CallbotTesting
import Capture
import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import WebMReading

/// A recording in a temporary folder, and what goes into it.
final class Scene {
    let temporary: TemporaryFolder
    let capture: Capture
    var archive: String { temporary.path + "/archive" }
    var folder: String { capture.folder }

    init(synchronizing: Duration? = nil) throws {
        temporary = try TemporaryFolder()
        capture = try Capture(
            at: .archive(temporary.path + "/archive"), manifest: Scene.manifest, room: "Daily",
            synchronizing: synchronizing)
    }

    static let manifest = RecordingManifest(
        id: RecordingID("20261130T040728Z-k3f9"), software: "callbot test",
        room: .init(address: "janus+ws://127.0.0.1:8188/1234"), origin: WallTime(microseconds: 1_796_011_648_123_000),
        recipe: ["name": "Recorder"])

    func join(_ id: String, _ name: String, at milliseconds: Int64 = 0) {
        capture.record(.participantJoined(Participant(id: ParticipantID(id), name: name)), at: .ms(milliseconds))
    }

    func start(
        _ number: Int, of participant: String, _ source: TrackSource, codec: Codec? = nil, at milliseconds: Int64 = 0
    ) {
        capture.record(
            .trackStarted(publication(number, of: participant, source, codec: codec)), at: .ms(milliseconds))
    }

    func read() throws -> RecordingManifest {
        try RecordingManifest(parsing: SmallFile.read(folder + "/recording.json"))
    }

    func journal() throws -> [JournalEvent] {
        let (entries, unreadable) = JournalEntry.entries(in: try SmallFile.read(folder + "/events.jsonl"))
        return unreadable == 0 ? entries.map(\.event) : []
    }

    func failures() -> [StorageError] { allFailures(of: capture) }
}

func allFailures(of capture: Capture) -> [StorageError] {
    var failures: [StorageError] = []
    while let failure = capture.nextFailure() { failures.append(failure) }
    return failures
}

func publication(
    _ number: Int, of participant: String, _ source: TrackSource, codec: Codec? = nil
) -> TrackPublication {
    let kind: MediaKind = source == .microphone || source == .screenShareAudio ? .audio : .video
    return TrackPublication(
        id: TrackID(number), participant: ParticipantID(participant), kind: kind, source: source,
        codec: codec ?? (kind == .audio ? .opus : .vp8), description: "", publishedAs: MediaSectionID("\(number)"),
        section: MediaSectionID("\(number)"))
}

func sound(at milliseconds: Int64, stereo: Bool = false) -> EncodedFrame {
    EncodedFrame(
        codec: .opus, time: .ms(milliseconds), duration: .milliseconds(20), isKeyframe: true,
        payload: [stereo ? 0xFC : 0x78] + (0..<30).map { UInt8(truncatingIfNeeded: Int64($0) + milliseconds) })
}

func picture(at milliseconds: Int64, key size: PixelSize? = nil) -> EncodedFrame {
    EncodedFrame(
        codec: .vp8, time: .ms(milliseconds), isKeyframe: size != nil, size: size,
        payload: [size == nil ? 0x11 : 0x10]
            + [UInt8](repeating: UInt8(truncatingIfNeeded: milliseconds), count: 100))
}

extension WebMReader {
    /// The next frame that somebody sent.
    func nextSent() throws -> (track: Int, frame: EncodedFrame)? {
        while let next = try nextFrame() { if !OpusSilence.isFiller(next.frame.payload) { return next } }
        return nil
    }
}

let small = PixelSize(width: 320, height: 180)
let large = PixelSize(width: 640, height: 360)
let stopped = RecordingEnding(reason: "stopped", message: "Stopped.", exitCode: 0)
