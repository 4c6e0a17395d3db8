import EventLoop
import MediaTypes
import RecordingFormat
import Rendering
import RoomProtocol
import Storage
import WebM

/// The composite drawn during the call, on a thread of its own: however slow it is, the capture never waits for it.
final class CompositeThread {
    enum Item: Sendable {
        case event(RoomEvent, at: TimelineTime)
        case control(ControlEvent, at: TimelineTime)
        case frame(EncodedFrame, of: TrackID)
        case advance(to: TimelineTime)
        /// Nothing more will be drawn.
        case abandon(discarding: Bool)
        case finish(at: TimelineTime, tags: [Tag])
    }

    private enum Outcome: Sendable {
        case drawing
        case done(RenderSummary)
        case failed(String)
    }

    /// What a track's picture looked like.
    struct Look: Sendable {
        var look: PictureLook
        var track: TrackID
        var time: TimelineTime
    }

    /// Half a minute of a call of nine.
    static let usualCapacity = 64 << 20

    private let path: String
    private let settings: RenderSettings
    private let worker: WorkerThread<Item>
    private let outcome = Locked(Outcome.drawing)
    private let isAbandoned = Locked(false)
    private let written = Locked<Int64>(0)
    private let wantedLevel = Locked(CompositeLevel.full)
    /// How far it has been drawn, as far as it has been told to.
    private let drawn = Locked(TimelineTime.zero)
    private var told = TimelineTime.zero
    /// What it has been made with at the worst.
    private var lowestLevel = CompositeLevel.full
    private let looks = Locked([Look]())
    /// What became of it, once it is finished.
    private(set) var report = CompositeReport(state: .drawing)
    /// Whether a frame found no room in the queue. From then on the composite would lack it.
    private(set) var isBehind = false
    /// Whether nothing more is drawn.
    private(set) var isGivenUp = false

    /// - Parameter capacity: how many bytes of frames may wait before it is behind.
    init(_ recipe: CompositeRecipe, path: String, manifest: RecordingManifest, capacity: Int) {
        var settings = RenderSettings(recipe)
        settings.title = manifest.title
        settings.origin = manifest.origin
        self.settings = settings
        self.path = path
        worker = WorkerThread(name: "composite", capacity: capacity) {
            [settings, outcome, isAbandoned, written, wantedLevel, drawn, looks] in
            var renderer: Renderer?
            do {
                renderer = try Renderer(settings, output: AppendFile(creating: path))
                renderer?.onLook = { look, track, time in
                    looks.withLock { $0.append(Look(look: look, track: track, time: time)) }
                }
            } catch {
                outcome.withLock { $0 = .failed("\(error)") }
            }
            return { batch in
                for item in batch {
                    if case .abandon(let isDiscarding) = item {
                        renderer = nil
                        if isDiscarding { SmallFile.remove(path) }
                    }
                    guard let current = renderer, !isAbandoned.withLock({ $0 }) else { continue }
                    do {
                        switch item {
                        case .abandon: break
                        case .event(let event, let time): current.handle(event, at: time)
                        case .control(let control, let time): current.handle(control, at: time)
                        case .frame(let frame, let track): current.frame(frame, of: track)
                        case .advance(let time):
                            current.level = wantedLevel.withLock { $0 }
                            try current.advance(to: time)
                            drawn.withLock { $0 = time }
                            written.withLock { $0 = current.bytesWritten }
                        case .finish(let end, let tags):
                            current.level = wantedLevel.withLock { $0 }
                            let summary = try current.finish(at: end, tags: tags)
                            outcome.withLock { $0 = .done(summary) }
                        }
                    } catch {
                        outcome.withLock { $0 = .failed("\(error)") }
                        renderer = nil
                    }
                }
            }
        }
    }

    func push(_ item: Item) {
        guard !isGivenUp else { return }
        if case .advance(let time) = item { told = time }
        let weight = if case .frame(let frame, _) = item { frame.payload.count + 1 } else { 0 }
        if !worker.push(item, weight: weight) { isBehind = true }
    }

    /// What is to be drawn from now on, that which waits included.
    var level: CompositeLevel {
        get { wantedLevel.withLock { $0 } }
        set {
            wantedLevel.withLock { $0 = newValue }
            lowestLevel = max(lowestLevel, newValue)
        }
    }

    /// How much of the call has been handed over and is not drawn yet.
    var lag: Duration {
        guard case .drawing = outcome.withLock({ $0 }) else { return .zero }
        return max(.zero, told - drawn.withLock { $0 })
    }

    /// Bytes of the file so far.
    var bytesWritten: Int64 { written.withLock { $0 } }

    /// What was seen since it was asked for last.
    func takeLooks() -> [Look] {
        looks.withLock { taken in
            defer { taken = [] }
            return taken
        }
    }

    /// Draws no more; `finish` makes the composite from the capture then.
    /// - Parameter discarding: whether the file goes, and gives its space back.
    func giveUp(discarding: Bool = false) {
        guard !isGivenUp else { return }
        isGivenUp = true
        isBehind = false
        isAbandoned.withLock { $0 = true }
        worker.push(.abandon(discarding: discarding))
    }

    /// Ends the file, or makes it now from what was captured if it was given up or failed, and makes the poster.
    /// - Parameters:
    ///   - room: bytes of the disk that may be used for making it now.
    ///   - isHurried: when true, nothing is made that can be made later.
    /// - Returns: the files there are, and what is wrong with the composite; nil when it is as it was asked for.
    func finish(
        at end: TimelineTime, tags: [Tag], recording folder: String, room: Int64, isHurried: Locked<Bool>
    ) -> (files: [RecordingFile], shortcoming: String?) {
        push(.finish(at: end, tags: tags))
        worker.finish()
        if case .done(let summary) = outcome.withLock({ $0 }) {
            report(.live, summary, at: end)
            if lowestLevel == .full { return (files(of: summary, in: folder), nil) }
            if lowestLevel == .off, let whole = try? render(folder, to: end, room: room, isHurried) {
                report(.afterwards, whole, at: end)
                return (files(of: whole, in: folder), nil)
            }
            return (files(of: summary, in: folder), "the composite was made with less in part")
        }
        SmallFile.remove(path)
        do {
            let whole = try render(folder, to: end, room: room, isHurried)
            report(.afterwards, whole, at: end)
            return (files(of: whole, in: folder), nil)
        } catch {
            report.state = .missing
            return ([], "there is no composite (\(error))")
        }
    }

    private func report(_ state: CompositeReport.State, _ summary: RenderSummary, at end: TimelineTime) {
        report.state = (end - .zero) - summary.duration > .seconds(1) ? .shortened : state
        report.undecodableFrames = summary.undecodableFrames
        report.concealedPackets = summary.concealedPackets
    }

    private enum NotMade: Error, CustomStringConvertible {
        case hurried
        case noSpace

        var description: String {
            switch self {
            case .hurried: "asked to hurry"
            case .noSpace: "no space left for it"
            }
        }
    }

    /// Makes the composite from what was captured, all of it or nothing, and puts it into the place of what is there.
    private func render(
        _ folder: String, to end: TimelineTime, room: Int64, _ isHurried: Locked<Bool>
    ) throws -> RenderSummary {
        guard !isHurried.withLock({ $0 }) else { throw NotMade.hurried }
        guard expectedBytes(of: end - .zero) <= room else { throw NotMade.noSpace }
        let new = path + ".new"
        let summary = try RecordingRendering(folder: folder, settings: settings).render(to: new) { _ in
            !isHurried.withLock { $0 }
        }
        guard !isHurried.withLock({ $0 }) else {
            SmallFile.remove(new)
            throw NotMade.hurried
        }
        try SmallFile.rename(new, to: path)
        return summary
    }

    /// What a composite of this length takes, and a fifth more.
    private func expectedBytes(of duration: Duration) -> Int64 {
        Int64(Double(settings.videoBitRate + settings.audioBitRate) / 8 * duration.seconds * 1.2)
    }

    private func files(of summary: RenderSummary, in folder: String) -> [RecordingFile] {
        // A failure would be one of the disk, which the capture is told of.
        try? AppendFile(reopening: path).synchronize()
        var files = [RecordingFile(path: FileNaming.composite, kind: .composite, bytes: summary.bytes)]
        if let poster = summary.poster {
            do {
                try AtomicFile.replace(folder + "/" + FileNaming.poster, with: poster)
                files.append(RecordingFile(path: FileNaming.poster, kind: .poster, bytes: Int64(poster.count)))
            } catch {
                // A picture to look at is not worth a failed recording.
            }
        }
        return files
    }
}

extension RenderSettings {
    /// What a recipe asks for. Where it names no bit rate, 1.5 Mbit/s at 1280x720 and 25 pictures a second, and as much
    /// more or less as there are more or fewer pixels.
    package init(_ recipe: CompositeRecipe) {
        self.init()
        size = recipe.size
        framesPerSecond = recipe.frameRate
        codec = recipe.videoCodec
        audioBitRate = recipe.audioBitRate
        layout = recipe.layout
        animation = recipe.animation
        hasLabels = recipe.hasLabels
        marksSpeakers = recipe.marksSpeakers ?? recipe.layout.layout.marksSpeakers
        hasBadges = recipe.hasBadges
        cornerRadius = recipe.cornerRadius
        hasClock = recipe.hasClock
        hasStatistics = recipe.hasStatistics
        background = recipe.background ?? background
        backgroundPicture = recipe.backgroundPicture
        let pixels = Double(recipe.size.width * recipe.size.height * recipe.frameRate)
        videoBitRate = recipe.videoBitRate ?? max(200_000, Int(1_500_000 * pixels / (1280 * 720 * 25)))
    }
}
