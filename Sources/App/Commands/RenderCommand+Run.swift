import EventLoop
import JSON
import MediaTypes
import Recording
import RecordingFormat
import Rendering
import Storage

extension RenderCommand {
    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) throws(CommandFailure) -> ExitCode {
        let begin = HostClock.now()
        var stopped: ExitCode?
        let request = try request.located(in: surroundings.environment)
        if request.replaces { return try replace(request, in: surroundings) }
        let summary = try run(request) { share in
            surroundings.progress(share, since: begin)
            stopped = surroundings.stopped()
            return stopped == nil
        }
        let reach = stopped == nil ? "" : ", stopped before the end"
        surroundings.output("\(request.output): \(summary.duration.seconds) s, \(summary.bytes) bytes\(reach)\n")
        if request.makesPictures, request.isComposite, stopped == nil {
            surroundings.makePictures(of: request.recording)
        }
        return stopped ?? .success
    }

    /// - Parameter progress: called with the share that is done, 0 to 1; returns whether to go on. When it says no, the file ends
    ///   there, whole.
    static func run(_ request: Request, progress: (Double) -> Bool) throws(CommandFailure) -> RenderSummary {
        guard Folder.isFolder(request.recording) else {
            throw CommandFailure(code: .noInput, sentence: "\(request.recording) is no recording's folder")
        }
        var request = request
        // That it is no recording is found out where it is rendered.
        if let manifest = try? RecordingReader.manifest(of: request.recording) { request.inherit(manifest.recipe) }
        var settings = RenderSettings(request.composite)
        if request.isAudioOnly { settings.soundOnly = request.soundContainer }
        var rendering = RecordingRendering(folder: request.recording, settings: settings)
        if let from = request.from { rendering.from = .zero + from }
        rendering.participant = request.participant
        rendering.followsLayoutChanges = request.followsLayoutChanges
        rendering.to = request.to.map { .zero + $0 }
        do {
            return try rendering.render(to: request.output, progress: progress)
        } catch let error as StorageError {
            throw CommandFailure(code: ExitCode(error), sentence: "\(error)")
        } catch {
            throw CommandFailure(code: .noInput, sentence: "\(error)")
        }
    }
}

extension RenderCommand {
    /// How far it is, and how long it will take: `[#########-----------]  45 %  about 1:20 left`.
    static func progress(_ share: Double, after elapsed: Duration) -> String {
        let share = min(max(share, 0), 1)
        let full = Int(share * 20)
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 20 - full)
        var line = "[\(bar)]  \(Int(share * 100)) %"
        // The first moments say little about the rest.
        if share > 0.02, elapsed > .seconds(1) {
            let left = Int((elapsed.seconds * (1 - share) / share).rounded(.up))
            let seconds = left % 60
            line += "  about \(left / 60):\(seconds < 10 ? "0" : "")\(seconds) left"
        }
        return line
    }
}

extension ExitCode {
    init(_ error: StorageError) {
        switch (error.operation, error.cause) {
        case (.create, .exists), (.move, .exists), (.makeFolder, .exists): self = .outputExists
        case (.create, _), (.makeFolder, _): self = .cannotCreate
        case (.open, _), (.read, _), (.list, _), (.lock, _): self = .noInput
        case (.append, _), (.patch, _), (.synchronize, _), (.replace, _), (.measureFreeSpace, _), (.remove, _),
            (.move, _),
            (.copy, _):
            self = .inputOutputError
        }
    }
}
