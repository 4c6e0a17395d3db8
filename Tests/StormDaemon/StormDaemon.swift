import Daemon
import EventLoop
import Glibc
import Logging
import MediaTypes
import Processes
import Scheduling

/// A daemon whose recorders are stubs, as a process of its own, so that it can be killed: `StormDaemon STATE PROGRAM MOST`.
@main struct StormDaemon {
    static func main() async throws {
        // No test takes so long: whoever started it was killed.
        alarm(600)
        let words = CommandLine.arguments
        // As many processors as nobody has: what is to be seen is how it goes by its own limit.
        var settings = DaemonSettings(
            program: words[2], archive: words[1] + "/archive", place: StatePlace(words[1]),
            mostRecordings: Int(words[3]), processors: 100_000)
        settings.jobs = 0
        OpenFiles.raiseLimit()
        let logger = Logger(label: "storm", level: .info, output: StandardErrorOutput(format: .plain))
        try await DaemonSession(settings, loop: LoopExecutor(name: "storm"), logger: logger).run()
    }
}
