import EventLoop
import JSON
import MediaTypes
import Processes
import Recording
import RecordingFormat
import Storage
import Supervision

/// `--status FILE`: tells whoever watches, in a file, how the recorder is doing. A lock beside it is held for as long as
/// the process lives, so that no two go by the same file, and so that its end is seen however it came.
final class StatusFile: Sendable {
    /// How often figures are written; a change of state is at once.
    private static let interval = Duration.seconds(2)

    private let path: String
    private let lock: FileLock
    private let said: Locked<(status: RecorderStatus, at: MonotonicTime)>

    /// - Throws: `StorageError` with the cause `.locked` when another recorder goes by the file.
    init(_ path: String, room: RoomAddress) throws(StorageError) {
        self.path = path
        lock = try FileLock(file: RecorderStatus.lock(of: path))
        let own = ProcessIdentity.own
        let status = RecorderStatus(
            process: own.number, processStart: own.start, room: room.description, at: HostClock.wallTime())
        said = Locked((status, HostClock.now()))
        try AtomicFile.replace(path, with: status.json.compactUTF8)
    }

    func say(_ progress: RecordingProgress) {
        change { status in
            let before = (status.state, status.folder)
            status.state = .recording
            status.folder = progress.folder ?? status.folder
            status.elapsed = progress.elapsed
            status.people = progress.people
            status.tracks = progress.tracks
            status.incomingBitRate = progress.incomingBitRate
            status.outgoingBitRate = progress.outgoingBitRate
            status.loss = progress.loss
            status.compositeLag = progress.compositeLag
            status.compositeLevel = progress.compositeLevel?.rawValue
            status.offset = progress.offset
            return before != (status.state, status.folder)
        }
    }

    func sayEnd(_ outcome: RecordingOutcome, _ code: ExitCode, _ sentence: String) {
        change { status in
            status.state = .ended
            status.exitCode = code.rawValue
            status.message = sentence
            status.verdict = outcome.verdict?.grade.rawValue
            return true
        }
    }

    /// - Parameter make: says whether the change must be told at once.
    private func change(_ make: (inout RecorderStatus) -> Bool) {
        let bytes: [UInt8]? = said.withLock { said in
            let isUrgent = make(&said.status)
            guard isUrgent || HostClock.now() - said.at >= Self.interval else { return nil }
            said.at = HostClock.now()
            said.status.at = HostClock.wallTime()
            return said.status.json.compactUTF8
        }
        // Nothing of the recording depends on it.
        if let bytes { try? AtomicFile.replace(path, with: bytes) }
    }
}
