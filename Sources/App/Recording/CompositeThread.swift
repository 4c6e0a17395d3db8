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
        case finish(at: TimelineTime, tags: [Tag])
    }

    private enum Outcome: Sendable {
        case drawing
        case done(RenderSummary)
        case failed(String)
    }

    /// Half a minute of a call of nine.
    static let usualCapacity = 64 << 20

    private let path: String
    private let settings: RenderSettings
    private let worker: WorkerThread<Item>
    private let outcome = Locked(Outcome.drawing)
    private let isAbandoned = Locked(false)
    /// Whether a frame found no room in the queue. From then on the composite would lack it.
    private(set) var isBehind = false
    private var isGivenUp = false

    /// - Parameter capacity: how many bytes of frames may wait before it is behind.
    init(_ recipe: CompositeRecipe, path: String, manifest: RecordingManifest, capacity: Int) {
        var settings = RenderSettings(recipe)
        settings.title = manifest.title
        settings.origin = manifest.origin
        self.settings = settings
        self.path = path
        worker = WorkerThread(name: "composite", capacity: capacity) {
            [settings, outcome, isAbandoned] in
            var renderer: Renderer?
            do {
                renderer = try Renderer(settings, output: AppendFile(creating: path))
            } catch {
                outcome.withLock { $0 = .failed("\(error)") }
            }
            return { batch in
                for item in batch {
                    guard let current = renderer, !isAbandoned.withLock({ $0 }) else { return }
                    do {
                        switch item {
                        case .event(let event, let time): current.handle(event, at: time)
                        case .control(let control, let time): current.handle(control, at: time)
                        case .frame(let frame, let track): current.frame(frame, of: track)
                        case .advance(let time): try current.advance(to: time)
                        case .finish(let end, let tags):
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
        let weight = if case .frame(let frame, _) = item { frame.payload.count + 1 } else { 0 }
        if !worker.push(item, weight: weight) { isBehind = true }
    }

    /// Draws no more; `finish` makes the composite from the capture then.
    func giveUp() {
        isGivenUp = true
        isBehind = false
        isAbandoned.withLock { $0 = true }
    }

    /// Ends the file, or makes it now from what was captured if it was given up or failed, and makes the poster.
    /// - Parameter isHurried: when true, nothing is made that can be made later.
    /// - Returns: the files there are.
    func finish(
        at end: TimelineTime, tags: [Tag], recording folder: String, isHurried: Locked<Bool>
    ) -> [RecordingFile] {
        push(.finish(at: end, tags: tags))
        worker.finish()
        var summary: RenderSummary?
        if case .done(let done) = outcome.withLock({ $0 }) { summary = done }
        if summary == nil {
            SmallFile.remove(path)
            guard !isHurried.withLock({ $0 }) else { return [] }
            summary = try? RecordingRendering(folder: folder, settings: settings).render(to: path) { _ in
                !isHurried.withLock { $0 }
            }
        }
        guard let summary else { return [] }
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
