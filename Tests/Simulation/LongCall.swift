import Capture
import MediaTypes
import RecordingFormat
import RoomProtocol

/// A call of four that is as large on the disk as a real one: pictures of 500 kbit/s, 25 a second, speech in turns, and a line
/// of chat now and then. Nothing is sent through a network.
package struct LongCall {
    private static let people = 4
    private static let keyframeInterval: Int64 = 3_000_000

    package let folder: String
    private let capture: Capture
    private var now = TimelineTime.zero
    /// Of all frames.
    package private(set) var bytes = 0
    package private(set) var failures: [String] = []

    /// - Parameter folder: must not exist yet.
    package init(into folder: String) throws {
        self.folder = folder
        capture = try Capture(
            at: .folder(folder),
            manifest: RecordingManifest(
                id: RecordingID("20261130T000000Z-long"), software: "callbot simulation",
                room: .init(address: "simulated"), origin: WallTime(microseconds: 1_796_000_000_000_000)),
            room: "simulated")
        for person in 0..<Self.people {
            let id = ParticipantID("\(person + 1)")
            capture.record(.participantJoined(Participant(id: id, name: "Person \(person + 1)")), at: .zero)
            for kind in [MediaKind.audio, .video] {
                let number = person * 2 + (kind == .audio ? 1 : 2)
                let section = MediaSectionID("\(number)")
                capture.record(
                    .trackStarted(
                        TrackPublication(
                            id: TrackID(number), participant: id, kind: kind,
                            source: kind == .audio ? .microphone : .camera, codec: kind == .audio ? .opus : .vp8,
                            description: "", publishedAs: section, section: section)), at: .zero)
            }
        }
    }

    package mutating func run(for duration: Duration) {
        let end = now + duration
        let sound = [UInt8](repeating: 0x78, count: 80)
        // A VP8 keyframe's beginning, which tells its size, and one that is not (RFC 6386 section 9.1).
        let key = [0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01] + [UInt8](repeating: 7, count: 12_000)
        let other = [0x31, 0x02, 0x00] + [UInt8](repeating: 7, count: 2400)
        while now < end {
            let time = now.microseconds
            for person in 0..<Self.people {
                add(sound, kind: .audio, number: person * 2 + 1, isKeyframe: true)
                guard time % 40_000 == 0 else { continue }
                let isKeyframe = time % Self.keyframeInterval == 0
                add(isKeyframe ? key : other, kind: .video, number: person * 2 + 2, isKeyframe: isKeyframe)
            }
            if time % 5_000_000 == 0 { takeTurns(time / 5_000_000) }
            if time % 500_000 == 0 { capture.tick(at: now) }
            now = now + .milliseconds(20)
        }
    }

    /// Somebody else speaks, and at times writes.
    private func takeTurns(_ turn: Int64) {
        let (before, next) = (Int(turn + 3) % Self.people + 1, Int(turn) % Self.people + 1)
        if turn > 0 { capture.record(.speaking(ParticipantID("\(before)"), isSpeaking: false), at: now) }
        capture.record(.speaking(ParticipantID("\(next)"), isSpeaking: true), at: now)
        guard turn % 4 == 0 else { return }
        let message = ChatMessage(
            kind: .message, sender: "\(next)", name: "Person \(next)", text: "This is line \(turn) of the chat.",
            sentAt: nil, isHistory: false)
        capture.record(.chat(message), at: now)
    }

    private mutating func add(_ payload: [UInt8], kind: MediaKind, number: Int, isKeyframe: Bool) {
        bytes += payload.count
        capture.frame(
            EncodedFrame(
                codec: kind == .audio ? .opus : .vp8, time: now,
                duration: .milliseconds(kind == .audio ? 20 : 40), isKeyframe: isKeyframe,
                size: kind == .audio || !isKeyframe ? nil : .init(width: 640, height: 360), payload: payload),
            of: TrackID(number))
    }

    /// Makes the recording whole.
    package mutating func finish() {
        capture.finish(at: now, RecordingEnding(reason: "success", exitCode: 0))
        while let failure = capture.nextFailure() { failures.append("\(failure)") }
    }
}
