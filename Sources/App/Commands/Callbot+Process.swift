import EventLoop
import Glibc
import Processes
import Recording
import RecordingFormat
import Storage

extension Callbot {
    /// The process's `main`: never comes back.
    package static func main() async -> Never {
        var callbot = Callbot(
            environment: .process, record: record, watchForStop: StopSignals.watch,
            output: { write($0, to: STDOUT_FILENO) }, errorOutput: { write($0, to: STDERR_FILENO) })
        callbot.program = Folder.resolved("/proc/self/exe") ?? CommandLine.arguments[0]
        callbot.stepBack = BackgroundPriority.take
        // A peer that hangs up is told of by the write that fails.
        signal(SIGPIPE, SIG_IGN)
        exit(await callbot.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static let record: Record = { recipe, logger, progress in
        let loop = LoopExecutor(name: "callbot-loop")
        let session = RecordingSession(
            recipe, archive: Environment.process.archive, software: "callbot \(version)", loop: loop, logger: logger,
            ending: { end in
                RecordingEnding(
                    reason: "\(ExitCode(end))", message: end.sentence, exitCode: Int(ExitCode(end).rawValue))
            }, progress: progress)
        return await session.run()
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // Nowhere to complain to when this fails.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
