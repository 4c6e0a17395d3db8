import Composition
import MediaEngines
package import MediaTypes
package import RecordingFormat
package import RoomProtocol
package import WebM

/// Makes the composite: what happened and what was captured in, a WebM file of one picture and one sound track out. The
/// same input gives the same output, however it is handed in: live and after the call are the same.
///
/// It works in windows of up to twelve ticks: within a window each stream is decoded in a row, which keeps its decoder in
/// the processor's cache, and drawn on the canvas of every tick; then the canvases are encoded, by another thread, while the
/// next window is drawn. Not for more than one thread at a time.
package final class Renderer: CompositeRenderer {
    private let settings: RenderSettings
    private let clock: OutputClock
    private let windowLength: Int64

    private var layout: LayoutFollower
    private var director = SceneDirector()
    private var happenings: [(time: TimelineTime, happening: Happening)] = []
    private var chapters = ChapterList()
    private var pictureTracks: [TrackID: PictureTrack] = [:]
    private var ended: Set<TrackID> = []
    private var undecodableFrames = 0
    /// What was laid out last, and what was shown of it, which may still be on the way there.
    private var target: Scene
    private var scene: Scene
    private var transition: SceneTransition?
    private var sceneNumber = 0

    private let compositor: Compositor
    private let poster: PosterChooser
    private let pictures: PictureEncoding
    private var pictureCount = 0
    /// The sound that goes with the window that is being encoded, and how far it is complete; nil while there is no such window.
    private var underWay: (packets: [EncodedFrame], end: TimelineTime)?
    private let sound: SoundOutput
    private let file: CompositeFile
    private var nextTick: Int64 = 0
    private var nextPage: Int64 = 0
    /// What the next windows get, for a call whose composite cannot keep up. Rendering a recording never changes it.
    package var level = CompositeLevel.full

    /// Told once a second what each track's picture looks like.
    package var onLook: ((PictureLook, TrackID, TimelineTime) -> Void)?

    /// Begins the file.
    package init(
        _ settings: RenderSettings, output: any RenderOutput
    ) throws {
        precondition(1...60 ~= settings.framesPerSecond, "1 to 60 pictures a second")
        precondition(settings.size.width % 2 == 0 && settings.size.height % 2 == 0, "a composite's sides are even")
        self.settings = settings
        layout = LayoutFollower(settings.layout)
        clock = OutputClock(ticksPerSecond: settings.framesPerSecond)
        windowLength = Int64(min(12, max(1, settings.framesPerSecond / 2)))
        target = Scene(canvas: settings.size, tiles: [])
        scene = target
        compositor = Compositor(settings, windowLength: Int(windowLength))
        poster = PosterChooser(size: settings.size)
        pictures = try PictureEncoding(settings)
        sound = try SoundOutput(bitRate: settings.audioBitRate)
        file = try CompositeFile(settings, preSkip: sound.preSkip, output: output)
    }

    /// Takes in what happened in the room. What is known by the time of capture may come a little out of order.
    package func handle(_ event: RoomEvent, at time: TimelineTime) {
        add(.event(event), at: time)
    }

    /// Takes in what somebody asked for: another layout, from the tick on that shows this moment, or a chapter that
    /// begins.
    package func handle(_ control: ControlEvent, at time: TimelineTime) {
        if case .mark(let title) = control {
            chapters.mark(title, at: time)
        } else {
            add(.control(control), at: time)
        }
    }

    /// Takes in a frame of a track, in the order of the track. It may come before the track's own start event.
    package func frame(_ frame: EncodedFrame, of id: TrackID) {
        let frame = frame.onWholeMilliseconds
        switch frame.codec.kind {
        case .audio: sound.append(frame, of: id)
        case .video: pictureTrack(id)?.append(frame)
        }
    }

    /// Says that everything before `time` has been handed in: renders the windows that are complete.
    package func advance(to time: TimelineTime) throws {
        while clock.end(of: nextTick + windowLength - 1) <= time {
            try renderWindow(nextTick..<nextTick + windowLength)
        }
    }

    /// Bytes of the file so far.
    package var bytesWritten: Int64 { file.length }

    /// Ends the file at a moment, from which on nothing is shown: renders the rest, and writes cues, chapters, tags and
    /// duration.
    package func finish(at end: TimelineTime, tags: [Tag] = []) throws -> RenderSummary {
        let count = clock.count(before: end)
        while nextTick < count {
            try renderWindow(nextTick..<min(nextTick + windowLength, count), isLast: nextTick + windowLength >= count)
        }
        try collect()
        try sound.finish(at: end)
        let duration = Duration.microseconds(max(0, end.microseconds))
        try file.write(pictures: [], sound: sound.takePackets(), upTo: nil)
        try file.finish(duration: duration, tags: tags, chapters: chapters.chapters(before: end))
        undecodableFrames += pictureTracks.values.reduce(0) { $0 + $1.undecodable }
        return RenderSummary(
            duration: duration, bytes: file.length, pictures: pictureCount, soundPackets: sound.packetCount,
            undecodableFrames: undecodableFrames + sound.undecodableFrames,
            concealedPackets: sound.concealedPackets, lateSamples: sound.lateSamples, poster: try poster.jpeg())
    }

    private func add(_ happening: Happening, at time: TimelineTime) {
        let place = happenings.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        happenings.insert((time, happening), at: place)
    }

    /// Decides the scene of every tick that is drawn, draws stream by stream, and has it encoded tick by tick.
    private func renderWindow(_ ticks: Range<Int64>, isLast: Bool = false) throws {
        let plans = drawnTicks(of: ticks).map(plan)
        if level == .off { passOver(ticks) }
        for plan in plans { compositor.prepare(plan.scene, number: plan.number, on: plan.page) }
        for id in pictureTracks.keys.sorted() {
            if let track = pictureTracks[id] { draw(track, plans) }
        }
        dismissEnded()
        for plan in plans { compositor.finish(plan.scene, on: plan.page) }
        try collect()
        pictures.begin(
            plans.enumerated().map { index, plan in
                PictureEncoding.Page(
                    canvas: compositor.canvas(of: plan.page), tick: plan.page.tick,
                    changes: compositor.changes(of: plan.scene, on: plan.page),
                    isHalf: level >= .halfSize, isLast: isLast && index == plans.count - 1)
            })
        if let plan = plans.first {
            poster.consider(
                compositor.canvas(of: plan.page), pictures: compositor.pictures(of: plan.scene, on: plan.page),
                at: clock.time(of: plan.page.tick))
        }
        nextTick = ticks.upperBound
        try sound.advance(to: clock.end(of: nextTick - 1))
        underWay = (sound.takePackets(), sound.end)
    }

    private func drawnTicks(of ticks: Range<Int64>) -> [Int64] {
        switch level {
        case .full: Array(ticks)
        case .halfRate, .halfSize: ticks.filter { $0 % 2 == 0 }
        case .off: []
        }
    }

    /// Follows what happens, and decodes nothing: what comes then waits for a keyframe.
    private func passOver(_ ticks: Range<Int64>) {
        guard let last = ticks.last else { return }
        follow(upTo: clock.end(of: last))
        for track in pictureTracks.values {
            track.skip(before: clock.end(of: last)) { director.handle($0, of: track.id) }
        }
    }

    /// Writes the window that was being encoded.
    private func collect() throws {
        guard let (packets, end) = underWay else { return }
        underWay = nil
        let frames = try pictures.fetch()
        pictureCount += frames.count
        try file.write(pictures: frames, sound: packets, upTo: end)
    }

    /// What changes who is where, in the order of time.
    private enum Happening {
        case event(RoomEvent)
        case control(ControlEvent)
    }

    /// What a tick shows, and how far each stream is to be decoded for it.
    private struct TickPlan {
        var page: Compositor.Page
        var scene: Scene
        var number: Int
        var frameCounts: [TrackID: Int]
    }

    private func plan(_ tick: Int64) -> TickPlan {
        let end = clock.end(of: tick)
        follow(upTo: end)
        var counts: [TrackID: Int] = [:]
        for (id, track) in pictureTracks {
            counts[id] = track.assign(before: end) { director.handle($0, of: id) }
        }
        let now = clock.time(of: tick)
        let next = shown(of: layout.scene(of: director.stage(at: now), on: settings.size, at: now), at: now)
        if sceneNumber == 0 || next.arrangement != scene.arrangement { sceneNumber += 1 }
        scene = next
        defer { nextPage += 1 }
        return TickPlan(
            page: Compositor.Page(number: nextPage, tick: tick), scene: scene, number: sceneNumber, frameCounts: counts)
    }

    private func follow(upTo end: TimelineTime) {
        let due = happenings.prefix { $0.time < end }
        for (time, happening) in due {
            switch happening {
            case .event(let event): follow(event, at: time)
            case .control(let control): layout.follow(control)
            }
        }
        happenings.removeFirst(due.count)
    }

    /// The scene itself, or what is shown on the way to it.
    private func shown(of next: Scene, at now: TimelineTime) -> Scene {
        defer { target = next }
        guard let duration = settings.animation else { return next }
        if next.tiles.map(\.rectangle) != target.tiles.map(\.rectangle) {
            transition = SceneTransition(from: scene, start: now, duration: duration)
        }
        guard let transition, !transition.isOver(at: now) else {
            self.transition = nil
            return next
        }
        return transition.scene(towards: next, at: now)
    }

    private func follow(_ event: RoomEvent, at time: TimelineTime) {
        director.handle(event, at: time)
        switch event {
        case .trackStarted(let track) where track.kind == .video: pictureTrack(track.id)?.isStarted = true
        case .trackRotated(let id, let rotation):
            // Frames are on whole milliseconds here.
            pictureTrack(id)?.turn(rotation, from: TimelineTime(microseconds: time.milliseconds &* 1000))
        case .trackEnded(let id):
            ended.insert(id)
            sound.end(id)
        default: break
        }
    }

    /// Lets go of the decoders of tracks that have ended.
    private func dismissEnded() {
        for id in ended {
            guard let track = pictureTracks.removeValue(forKey: id) else { continue }
            undecodableFrames += track.undecodable
        }
    }

    private func draw(_ track: PictureTrack, _ plans: [TickPlan]) {
        for plan in plans {
            track.decode(
                upTo: plan.frameCounts[track.id] ?? 0, inSecond: plan.page.tick / Int64(settings.framesPerSecond))
            for (index, tile) in plan.scene.tiles.enumerated() where tile.content == .picture(track.id) {
                compositor.draw(track, in: tile, index: index, on: plan.page)
            }
        }
        track.endWindow()
    }

    /// Nil once the track has ended: what it still sends is shown nowhere.
    private func pictureTrack(_ id: TrackID) -> PictureTrack? {
        if let track = pictureTracks[id] { return track }
        if ended.contains(id) { return nil }
        let track = PictureTrack(id: id)
        if let onLook { track.onLook = { onLook($0, id, $1) } }
        pictureTracks[id] = track
        return track
    }
}
