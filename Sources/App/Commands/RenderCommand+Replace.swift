import EventLoop
import MediaTypes
import Recording
import RecordingFormat
import Storage

extension RenderCommand {
    static func replace(_ request: Request, in surroundings: Surroundings) throws(CommandFailure) -> ExitCode {
        let status = request.statusFile.map(JobStatusFile.init)
        let begin = HostClock.now()
        do {
            let isWhole = try replace(request) { text in
                surroundings.output(text + "\n")
            } progress: { share in
                surroundings.progress(share, since: begin)
                status?.say(share)
                return surroundings.stopped() == nil
            }
            status?.sayEnd(isWhole ? .success : .notRepaired)
            if isWhole, request.makesPictures { surroundings.makePictures(of: request.recording) }
            return isWhole ? .success : .notRepaired
        } catch {
            let failure = CommandFailure(code: surroundings.stopped() ?? error.code, sentence: error.sentence)
            status?.sayEnd(failure.code)
            throw failure
        }
    }

    /// Makes the recording's own composite, in its folder: after that it is as if it had been drawn during the call. What of the
    /// recording is not whole is repaired before.
    /// - Parameters:
    ///   - say: takes a line a file.
    ///   - progress: called with the share that is done, 0 to 1; says whether to go on.
    /// - Returns: whether there is a whole composite now.
    static func replace(
        _ request: Request, say: @escaping (String) -> Void, progress: @escaping (Double) -> Bool
    ) throws(CommandFailure) -> Bool {
        var isAllWell = true
        let repair = RecordingRepair(
            folder: request.recording, software: "callbot \(Callbot.version)",
            composite: { recipe in
                var arguments = RecordArguments()
                arguments.inherit(recipe)
                return arguments.composite
            },
            remakesComposite: true,
            say: { report in
                if report.isFailure { isAllWell = false }
                say("\(report.file): \(report.text)")
            },
            progress: { file, share in progress(file == FileNaming.composite ? share : 0) })
        do { try repair.run() } catch { throw RepairCommand.failure(error, of: request.recording) }
        return isAllWell && Folder.exists(request.recording + "/" + FileNaming.composite)
    }
}
