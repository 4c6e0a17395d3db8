import MediaTypes
import RecordingFormat
import RoomProtocol
import WebM

/// Makes the composite's sound alone.
final class SoundRenderer: CompositeRenderer {
    private let sound: SoundOutput
    private let file: SoundFile
    private var chapters = ChapterList()

    init(_ settings: RenderSettings, as container: RenderSettings.SoundContainer, output: any RenderOutput) throws {
        sound = try SoundOutput(bitRate: settings.audioBitRate)
        file = try SoundFile(settings, as: container, preSkip: sound.preSkip, output: output)
    }

    func handle(_ event: RoomEvent, at time: TimelineTime) {
        if case .trackEnded(let id) = event { sound.end(id) }
    }

    func handle(_ control: ControlEvent, at time: TimelineTime) {
        if case .mark(let title) = control { chapters.mark(title, at: time) }
    }

    func frame(_ frame: EncodedFrame, of id: TrackID) {
        guard frame.codec.kind == .audio else { return }
        sound.append(frame.onWholeMilliseconds, of: id)
    }

    func advance(to time: TimelineTime) throws {
        try sound.advance(to: time)
        try file.write(sound.takePackets())
    }

    func finish(at end: TimelineTime, tags: [Tag]) throws -> RenderSummary {
        try sound.finish(at: end)
        try file.write(sound.takePackets())
        let duration = Duration.microseconds(max(0, end.microseconds))
        try file.finish(duration: duration, tags: tags, chapters: chapters.chapters(before: end))
        return RenderSummary(
            duration: duration, bytes: file.length, soundPackets: sound.packetCount,
            undecodableFrames: sound.undecodableFrames, concealedPackets: sound.concealedPackets,
            lateSamples: sound.lateSamples)
    }
}
