package import MediaTypes

/// Decides who is speaking, from how loud each microphone is. A cough does not make a speaker, nor does a breath end one:
/// somebody speaks after some loud frames in a row or nearly so, until they have been quiet for a while.
///
/// Frames and times are to be handed in in the order of each track. What follows from them is to be taken with `nextChange`.
package struct SpeakerDetector: Sendable {
    /// Somebody began or stopped to speak.
    package struct Change: Hashable, Sendable {
        package var participant: ParticipantID
        package var isSpeaking: Bool
        package var at: TimelineTime
    }

    /// In dBov: what begins a speech, and what goes on with one. Speech near a microphone is at -20 to -35.
    package static let loud = -42.0
    package static let audible = -50.0
    /// How much loud sound makes a speaker; quiet takes away what loud has brought.
    package static let evidence = Duration.milliseconds(120)
    /// How long a pause may be within a speech.
    package static let pause = Duration.milliseconds(800)

    private struct Voice {
        var participant: ParticipantID
        var evidence = Duration.zero
        var isSpeaking = false
        var lastAudible = TimelineTime.zero
    }

    private var voices: [TrackID: Voice] = [:]
    private var speaking: [ParticipantID: Set<TrackID>] = [:]
    private var changes: [Change] = []

    package init() {}

    package mutating func nextChange() -> Change? { changes.isEmpty ? nil : changes.removeFirst() }

    /// A microphone is heard from now on.
    package mutating func start(_ track: TrackID, of participant: ParticipantID) {
        voices[track] = Voice(participant: participant)
    }

    /// A microphone is heard no more.
    package mutating func end(_ track: TrackID, at time: TimelineTime) {
        set(track, speaking: false, at: time)
        voices[track] = nil
    }

    /// How loud a frame is: in dBov, 0 for the loudest, of a track that was started.
    package mutating func hear(_ level: Double, of track: TrackID, at time: TimelineTime, lasting duration: Duration) {
        guard var voice = voices[track] else { return }
        if voice.isSpeaking, time - voice.lastAudible > Self.pause {
            voices[track] = voice
            set(track, speaking: false, at: voice.lastAudible + Self.pause)
            voice = voices[track] ?? voice
        }
        let isLoud = level >= Self.loud
        voice.evidence = min(max(.zero, isLoud ? voice.evidence + duration : voice.evidence - duration), Self.evidence)
        if level >= Self.audible { voice.lastAudible = max(voice.lastAudible, time + duration) }
        voices[track] = voice
        if !voice.isSpeaking, voice.evidence >= Self.evidence { set(track, speaking: true, at: time + duration) }
    }

    /// Time has passed, perhaps without any frame: what ends by that ends now.
    package mutating func advance(to time: TimelineTime) {
        for track in voices.keys.sorted() {
            guard let voice = voices[track], voice.isSpeaking, time - voice.lastAudible > Self.pause else { continue }
            set(track, speaking: false, at: time)
        }
    }

    /// A person may have two microphones.
    private mutating func set(_ track: TrackID, speaking isSpeaking: Bool, at time: TimelineTime) {
        guard let voice = voices[track], voice.isSpeaking != isSpeaking else { return }
        voices[track]?.isSpeaking = isSpeaking
        if !isSpeaking { voices[track]?.evidence = .zero }
        let before = speaking[voice.participant] ?? []
        let after = isSpeaking ? before.union([track]) : before.subtracting([track])
        speaking[voice.participant] = after.isEmpty ? nil : after
        guard before.isEmpty != after.isEmpty else { return }
        changes.append(Change(participant: voice.participant, isSpeaking: isSpeaking, at: time))
    }
}
