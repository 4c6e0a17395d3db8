import EventLoop
import JSON
import MediaTypes
import Processes
import Storage
import Supervision

/// `--status FILE` of what works on a recording: tells whoever watches how far it is. Nothing depends on it.
final class JobStatusFile {
    private static let interval = Duration.seconds(1)

    private let path: String
    private var status: JobStatus
    private var said = HostClock.now()

    init(_ path: String) {
        self.path = path
        let own = ProcessIdentity.own
        status = JobStatus(process: own.number, processStart: own.start)
        write()
    }

    func say(_ share: Double) {
        status.share = share
        if HostClock.now() - said >= Self.interval { write() }
    }

    func sayEnd(_ code: ExitCode) {
        status.exitCode = code.rawValue
        write()
    }

    private func write() {
        said = HostClock.now()
        try? AtomicFile.replace(path, with: status.json.compactUTF8)
    }
}
