import EventLoop
import WebM
import WebServer

/// The snapshots that were asked for last: a player asks for one of them piece by piece. And what is known of the files that
/// they are of, so that the next one of a file that has grown takes no longer than what is new in it.
final class SnapshotShelf: Sendable {
    static let shared = SnapshotShelf()
    private static let mostSnapshots = 40
    private static let mostFiles = 200

    private struct Kept {
        var snapshots: [(key: String, snapshot: SeekableSnapshot)] = []
        var indexes: [(key: String, index: SegmentIndex)] = []
    }

    private let kept = Locked(Kept())

    /// - Parameter path: of the file, wherever it is.
    func snapshot(of file: ServedFile, at path: String, to limit: Int64) -> SeekableSnapshot? {
        // Another file of the same name is another one.
        let place = "\(file.tag.split(separator: "-").first ?? "") \(path)"
        let key = "\(limit) \(place)"
        let known = kept.withLock { kept -> SeekableSnapshot? in
            guard let index = kept.snapshots.firstIndex(where: { $0.key == key }) else { return nil }
            kept.snapshots.append(kept.snapshots.remove(at: index))
            return kept.snapshots.last?.snapshot
        }
        if let known { return known }
        var index = kept.withLock { $0.indexes.first { $0.key == place }?.index } ?? SegmentIndex()
        let before = index.length
        guard let made = SeekableSnapshot(of: file, to: limit, index: &index) else { return nil }
        kept.withLock { kept in
            kept.snapshots.append((key, made))
            if kept.snapshots.count > Self.mostSnapshots { kept.snapshots.removeFirst() }
            // An older part of the file says less than what is known.
            guard index.length >= before else { return }
            kept.indexes.removeAll { $0.key == place }
            kept.indexes.append((place, index))
            if kept.indexes.count > Self.mostFiles { kept.indexes.removeFirst() }
        }
        return made
    }
}
