import EventLoop
import MediaTypes
import RecordingFormat
import Rendering
import Storage

extension PicturesCommand {
    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) throws(CommandFailure) -> ExitCode {
        surroundings.stepBack()
        var code = ExitCode.success
        for (number, name) in request.recordings.enumerated() {
            let place = request.recordings.count > 1 ? "\(number + 1) of \(request.recordings.count)" : ""
            let begin = HostClock.now()
            do throws(CommandFailure) {
                let folder = try NamedRecording(name: name, archive: request.archive)
                    .folder(in: surroundings.environment)
                let problems = try make(folder, isForced: request.isForced) { share in
                    surroundings.progress(share, since: begin, place)
                    return surroundings.stopped() == nil
                }
                for problem in problems { surroundings.notice(ReportPage.printable("\(name): \(problem)")) }
                if !problems.isEmpty, code == .success { code = .notRepaired }
            } catch {
                if let stopped = surroundings.stopped() { return stopped }
                surroundings.notice(ReportPage.printable(error.sentence))
                if code == .success { code = error.code }
            }
        }
        return code
    }

    /// - Parameter progress: called with the share that is done, 0 to 1; says whether to go on.
    /// - Returns: what could not be made, a sentence each.
    private static func make(
        _ folder: String, isForced: Bool, progress: @escaping (Double) -> Bool
    ) throws(CommandFailure) -> [String] {
        guard Folder.isFolder(folder) else {
            throw CommandFailure(code: .noInput, sentence: "\(folder) is no recording's folder")
        }
        var pictures = RecordingPictures(folder: folder)
        pictures.isForced = isForced
        do { return try pictures.make(progress: progress).problems } catch {
            throw CommandFailure(code: ExitCode(error), sentence: "\(error)")
        }
    }
}

extension Surroundings {
    /// Makes the pictures of a recording that has just been finished, after everything else. What becomes of it is no matter of
    /// the command that it belongs to: a signal ends it at once.
    func makePictures(of folder: String) {
        guard let bytes = try? SmallFile.read(folder + "/" + FileNaming.manifest),
            let manifest = try? RecordingManifest(parsing: bytes), manifest.state != .recording
        else { return }
        stepBack()
        let begin = HostClock.now()
        _ = try? RecordingPictures(folder: folder).make { share in
            progress(share, since: begin, "pictures")
            return stopSignal() == nil
        }
        finishProgress()
    }
}
