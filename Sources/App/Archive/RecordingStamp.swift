import MediaTypes
import RecordingFormat
import Storage

/// By what is seen whether a recording has changed since it was read: its folder changes with the names in it, so
/// whenever a file of it is replaced; `recording.json` may also be changed in place.
struct RecordingStamp: Hashable, Sendable {
    /// Nanoseconds since 1970; 0 for what is not there.
    var folder: Int64 = 0
    var inode: Int64 = 0
    var manifest: Int64 = 0
    var manifestBytes: Int64 = 0

    init() {}

    /// - Parameter path: the recording's folder.
    init(of path: String) {
        if let status = FileStatus(path) {
            folder = status.modified
            inode = Int64(bitPattern: status.inode)
        }
        if let status = FileStatus(path + "/" + FileNaming.manifest) {
            manifest = status.modified
            manifestBytes = status.bytes
        }
    }

    /// Whether a change from now on would be seen: file systems tell times apart by some milliseconds only.
    func isSettled(at now: WallTime) -> Bool { Self.isSettled(folder, at: now) && Self.isSettled(manifest, at: now) }

    static func isSettled(_ modified: Int64, at now: WallTime) -> Bool {
        now.microseconds - modified / 1000 > 2_000_000
    }
}
