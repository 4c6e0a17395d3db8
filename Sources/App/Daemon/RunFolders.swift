import JSON
import MediaTypes
import Processes
import Storage
import Supervision

/// Where the runs under way are kept: a folder each, with what was ordered, what the recorder says of itself, and its log.
struct RunFolders: Sendable {
    /// How many of those that are over are kept, for their logs.
    private static let mostEnded = 500

    private let running: String
    private let ended: String

    init(in state: String) throws(StorageError) {
        running = state + "/runs"
        ended = state + "/ended"
        try Folder.createMissing(running)
        try Folder.createMissing(ended)
    }

    func path(of id: RunID) -> String { "\(running)/\(id)" }
    func statusPath(of id: RunID) -> String { path(of: id) + "/status.json" }
    func logPath(of id: RunID) -> String { path(of: id) + "/log" }

    /// All that are under way, as far as can be read.
    func records() -> [RunRecord] {
        let names = (try? Folder.entries(running)) ?? []
        return names.compactMap { name in
            guard let bytes = try? SmallFile.read("\(running)/\(name)/run.json"),
                let json = try? JSONValue(parsing: bytes), let record = RunRecord(json),
                record.order.id.value == name
            else { return nil }
            return record
        }
    }

    func keep(_ record: RunRecord) throws(StorageError) {
        try Folder.createMissing(path(of: record.order.id))
        try AtomicFile.replace(path(of: record.order.id) + "/run.json", with: record.json.compactUTF8)
    }

    func status(of id: RunID) -> RecorderStatus? {
        guard let bytes = try? SmallFile.read(statusPath(of: id)) else { return nil }
        return (try? JSONValue(parsing: bytes)).flatMap(RecorderStatus.init)
    }

    /// Whether a recorder of the run lives, whoever started it: it holds the lock as long as it does.
    func hasRecorder(_ id: RunID) -> Bool {
        do {
            _ = try FileLock(file: RecorderStatus.lock(of: statusPath(of: id)))
            return false
        } catch {
            return error.cause == .locked
        }
    }

    /// The run is over: its log is kept for a while.
    func retire(_ id: RunID) {
        remove("\(ended)/\(id)")
        try? SmallFile.rename(path(of: id), to: "\(ended)/\(id)")
    }

    /// Removes the oldest of those that are over, beyond so many. It looks at all of them.
    func prune() {
        let names = (try? Folder.entries(ended)) ?? []
        guard names.count > Self.mostEnded else { return }
        let times = names.map { (name: $0, time: FileStatus("\(ended)/\($0)")?.modified ?? 0) }
        for (name, _) in times.sorted(by: { ($0.time, $0.name) < ($1.time, $1.name) }).dropLast(Self.mostEnded) {
            remove("\(ended)/\(name)")
        }
    }

    private func remove(_ folder: String) {
        for name in (try? Folder.entries(folder)) ?? [] { SmallFile.remove("\(folder)/\(name)") }
        Folder.removeEmpty(folder)
    }
}
