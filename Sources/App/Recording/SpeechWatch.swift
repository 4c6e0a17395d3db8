import Composition
import Glibc
import MediaEngines
import MediaTypes
import RecordingFormat
import RoomProtocol

/// Notices who speaks during the call, so that the journal knows it: by the level that the sender states with each frame
/// (RFC 6464), else by decoding it.
struct SpeechWatch {
    private var detector = SpeakerDetector()
    private var decoders: [TrackID: OpusDecoder] = [:]
    private var samples: [Float] = []
    private var heard: Set<ParticipantID> = []
    private var owners: [TrackID: ParticipantID] = [:]

    /// Takes in what happened. Whether it is worth passing on: of who is heard here, what the server thinks is not.
    mutating func follow(_ event: RoomEvent, at time: TimelineTime) -> Bool {
        switch event {
        case .trackStarted(let track) where track.kind == .audio:
            owners[track.id] = track.participant
            detector.start(track.id, of: track.participant)
        case .trackEnded(let id):
            detector.end(id, at: time)
            decoders[id] = nil
            owners[id] = nil
        case .participantLeft(let participant, _): heard.remove(participant)
        case .speaking(let participant, _): return !heard.contains(participant)
        default: break
        }
        return true
    }

    /// - Parameter attenuation: in -dBov, 0 for the loudest; nil where the sender does not say.
    /// - Returns: how loud it is; nil for what is no sound, or none that can be decoded.
    mutating func hear(_ frame: EncodedFrame, of track: TrackID, attenuation: UInt8?) -> SoundLevel? {
        guard frame.codec == .opus, let owner = owners[track], let duration = frame.duration,
            let level = attenuation.map({ -Double($0) }) ?? measure(frame, of: track)
        else { return nil }
        heard.insert(owner)
        detector.hear(level, of: track, at: frame.time, lasting: duration)
        return SoundLevel(decibels: level, isStated: attenuation != nil)
    }

    mutating func advance(to time: TimelineTime) { detector.advance(to: time) }

    mutating func nextEvent() -> (event: RoomEvent, at: TimelineTime)? {
        detector.nextChange().map { (.speaking($0.participant, isSpeaking: $0.isSpeaking), $0.at) }
    }

    /// The frame's level in dBov (RFC 6464 section 3): its power against that of the loudest square wave.
    private mutating func measure(_ frame: EncodedFrame, of track: TrackID) -> Double? {
        do {
            let decoder = try decoders[track] ?? OpusDecoder(channels: 1)
            decoders[track] = decoder
            let count = try decoder.decode(frame.payload, into: &samples)
            guard count > 0 else { return nil }
            let power = samples[..<count].reduce(0) { $0 + Double($1) * Double($1) } / Double(count)
            return power > 0 ? max(-127, 10 * log10(power)) : -127
        } catch {
            return nil
        }
    }
}
