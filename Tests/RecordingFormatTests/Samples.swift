import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol

let microphone = TrackPublication(
    id: TrackID(1), participant: ParticipantID("4711"), kind: .audio, source: .microphone, codec: .opus,
    description: "", publishedAs: MediaSectionID("0"), section: MediaSectionID("3"))
let camera = TrackPublication(
    id: TrackID(2), participant: ParticipantID("4711"), kind: .video, source: .camera, codec: .vp8,
    description: "my face", publishedAs: MediaSectionID("1"), section: MediaSectionID("4"))

func at(_ microseconds: Int64) -> TimelineTime { TimelineTime(microseconds: microseconds) }

/// Every event there is, with every key that it may have.
let everyEvent: [JournalEvent] =
    [
        .recordingStarted(RecordingID("20261130T040728Z-k3f9")),
        .recordingEnded(RecordingEnding(reason: "stopped", message: "Stopped by SIGINT.", exitCode: 0)),
        .recordingResumed(after: at(10)),
        .gap(nil, from: at(10), to: at(20), reason: "the connection was lost"),
        .gap(TrackID(1), from: at(10), to: at(20), reason: "lost"),
        .framesDropped(TrackID(1), count: 3, reason: "before the first keyframe"),
        .compositeSteppedDown(.halfRate, "it has half as many pictures"),
        .compositeSteppedUp(.full, "it is whole again"),
        .diskSpace(.scarce, free: 60_000_000),
        .clockStepped(.microseconds(-1_500_000)),
        .control(.layout("speaker")),
        .control(.layout(["regions": [["name": "all", "x": 0, "y": 0, "width": 1, "height": 0.5, "who": "rest"]]])),
        .control(.full("Åsa")),
        .control(.pinned("4711")),
        .control(.mark("Second part")),
        .failed("cannot append: no space left", file: "tracks/01-a-camera.webm"),
    ]
    + everyRoomEvent.map(JournalEvent.room)

let everyRoomEvent: [RoomEvent] = [
    .joined(Participant(id: ParticipantID("7012"), name: "Recorder"), roomDescription: "Daily"),
    .participantJoined(Participant(id: ParticipantID("4711"), name: "Åsa \"🎤\"\n")),
    .participantLeft(ParticipantID("4711"), .dropped),
    .participantRenamed(ParticipantID("4711"), name: ""),
    .trackPublished(ParticipantID("4711"), .video, publishedAs: MediaSectionID("1"), codec: .h264),
    .trackUnpublished(ParticipantID("4711"), publishedAs: MediaSectionID("1")),
    .trackStarted(camera),
    .trackEnded(TrackID(2)),
    .trackMuted(ParticipantID("4711"), publishedAs: MediaSectionID("1"), isMuted: true),
    .trackReceiving(TrackID(2), isReceiving: false),
    .speaking(ParticipantID("4711"), isSpeaking: true),
    .trackRotated(TrackID(2), .left),
    .layerRequested(TrackID(2), spatial: 0),
    .layerForwarded(TrackID(2), spatial: 1, temporal: 2),
    .chat(everyKeyMessage),
    .chatJoined(id: "asa", name: "Åsa"),
    .chatLeft(id: "asa"),
    .chatDropped(bytes: 70_000, reason: "too large"),
    .chatAvailable(false, reason: "no such chat"),
    .connectionChanged(.interrupted),
    .notice("slow link"),
]

let everyKeyMessage = ChatMessage(
    kind: .privateMessage, sender: "asa", name: "Åsa", text: "hej\n\"du\"", sentAt: "2026-11-30T04:07:40+0000",
    isHistory: true)

/// A manifest with every key.
let fullManifest: RecordingManifest = {
    var manifest = RecordingManifest(
        id: RecordingID("20261130T040728Z-k3f9"), state: .finished, software: "callbot 0.1",
        room: .init(address: "janus+ws://127.0.0.1:8188/1234", description: "Daily ☕"),
        bot: Participant(id: ParticipantID("7012"), name: "Recorder"),
        origin: WallTime(microseconds: 1_796_011_648_123_000),
        recipe: ["name": "Recorder", "composite": ["size": "1280x720"]])
    manifest.duration = .microseconds(61_234_567)
    manifest.end = RecordingEnding(reason: "stopped", message: "Stopped by SIGINT.", exitCode: 0)
    manifest.interruptions = [.init(from: at(6), to: at(7))]
    manifest.participants = [
        RecordedParticipant(
            id: ParticipantID("4711"), name: "Åsa",
            stays: [.init(from: at(0), to: at(5), departure: .kicked), .init(from: at(7), to: nil)])
    ]
    var sound = RecordedTrack(microphone, started: at(80_000))
    sound.ended = at(90_000)
    sound.file = "tracks/01-Åsa-microphone.webm"
    sound.firstFrame = at(81_000)
    sound.lastFrame = at(89_000)
    sound.frames = 3
    sound.bytes = 120
    sound.channels = 2
    sound.dropped.beforeOrigin = 1
    sound.failure = "no space left"
    var pictures = RecordedTrack(camera, started: at(80_000))
    pictures.dropped.beforeKeyframe = 2
    pictures.dropped.afterEnd = 4
    pictures.sizes = [.init(at: at(100_000), size: PixelSize(width: 640, height: 360))]
    manifest.tracks = [sound, pictures]
    manifest.files = [RecordingFile(path: "events.jsonl", kind: .journal, bytes: 1 << 40)]
    return manifest
}()
