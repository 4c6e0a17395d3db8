import MediaTypes
import RecordingFormat
import Storage

/// Goes through the folders of an archive for recordings. Folders that have not changed since they were listed are not
/// listed again, and nothing is said of what is in them; links are not followed; names that begin with a dot are not looked at.
struct ArchiveWalk {
    /// Folders between the archive's and a recording's, at most: year, month and day, and some of one's own.
    private static let deepest = 6
    /// So long a recording may be without its first file.
    private static let startingTime: Int64 = 60_000_000

    struct Place: Hashable {
        var folder: String
        /// The folder that it lies in.
        var parent: String
    }

    private let archive: String
    private let now: WallTime
    private let known: [String: RecordingIndex.KnownFolder]
    private let childFolders: [String: [String]]

    /// Recordings in the folders that were listed, in the order of the names.
    private(set) var places: [Place] = []
    /// Folders that are there and were listed anew.
    private(set) var listed: [RecordingIndex.KnownFolder] = []
    /// All folders that are there.
    private(set) var folders: Set<String> = []

    init(of archive: String, at now: WallTime, knowing folders: [RecordingIndex.KnownFolder] = []) {
        self.archive = archive
        self.now = now
        known = Dictionary(folders.map { ($0.path, $0) }) { first, _ in first }
        childFolders = Dictionary(grouping: folders.filter { !$0.path.isEmpty }, by: \.parent).mapValues {
            $0.map(\.path)
        }
        visit("", parent: "", depth: 0)
    }

    private func absolute(_ path: String) -> String { path.isEmpty ? archive : archive + "/" + path }

    private mutating func visit(_ path: String, parent: String, depth: Int) {
        // The archive itself may be reached through a link.
        let looked = path.isEmpty ? archive + "/." : absolute(path)
        guard let status = FileStatus(looked), status.kind == .folder else { return }
        let inode = Int64(bitPattern: status.inode)
        if let known = known[path], known.isSettled, known.modified == status.modified, known.inode == inode {
            folders.insert(path)
            for child in childFolders[path] ?? [] { visit(child, parent: path, depth: depth + 1) }
            return
        }
        if depth > 0, case .recording = nature(of: path) {
            places.append(Place(folder: path, parent: parent))
            return
        }
        var isSettled = RecordingStamp.isSettled(status.modified, at: now)
        for name in (try? Folder.entries(absolute(path))) ?? [] where !name.hasPrefix(".") {
            let child = path.isEmpty ? name : path + "/" + name
            guard FileStatus(absolute(child))?.kind == .folder else { continue }
            switch nature(of: child) {
            case .recording: places.append(Place(folder: child, parent: path))
            case .starting: isSettled = false
            case .folder: if depth + 1 < Self.deepest { visit(child, parent: path, depth: depth + 1) }
            }
        }
        folders.insert(path)
        listed.append(
            .init(path: path, parent: parent, modified: status.modified, inode: inode, isSettled: isSettled))
    }

    private enum Nature { case recording, starting, folder }

    private func nature(of path: String) -> Nature {
        let folder = absolute(path)
        if FileStatus(folder + "/" + FileNaming.manifest) != nil { return .recording }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard FileStatus(folder + "/" + FileNaming.journal) != nil || FolderName(name) != nil else { return .folder }
        // A recorder makes the folder, and then recording.json at once.
        let modified = FileStatus(folder)?.modified ?? 0
        return abs(now.microseconds - modified / 1000) < Self.startingTime ? .starting : .recording
    }
}
