import Storage

/// A file of lines, made with its first one. A line that cannot be written, because the disk is full for a while, is
/// kept in memory and tried again with the next.
final class LineFile {
    /// Bytes that are kept at most while they cannot be written.
    static let patience = 1 << 20

    let path: String
    private var file: AppendFile?
    private var waiting: [UInt8] = []
    private var isFailing = false
    private var synchronizedLength: Int64 = 0

    init(path: String) { self.path = path }

    /// Goes on with a file that may be there already. A torn last line of it is cut off.
    init(goingOnWith path: String) throws(StorageError) {
        self.path = path
        guard Folder.exists(path) else { return }
        try TornLine.cut(off: path)
        file = try AppendFile(reopening: path)
    }

    /// Whether nothing of it was ever brought onto the disk.
    var isNew: Bool { synchronizedLength == 0 }

    /// Bytes in the file; nil when there is none.
    var length: Int64? { file?.length }

    /// Throws for the first of several failures in a row.
    func append(_ line: [UInt8]) throws(StorageError) {
        if waiting.count + line.count <= Self.patience { waiting += line }
        try flush()
    }

    /// Tries again to write what is waiting.
    func flush() throws(StorageError) {
        guard !waiting.isEmpty else { return }
        do throws(StorageError) {
            if file == nil { file = try AppendFile(creating: path) }
            try file?.append(waiting)
            waiting = []
            isFailing = false
        } catch {
            let isNews = !isFailing
            isFailing = true
            if isNews { throw error }
        }
    }

    func synchronize() throws(StorageError) { try file?.synchronize() }

    /// The file, if there is more in it than when this was asked last.
    func takeSynchronizable() -> SynchronizableFile? {
        guard let file, file.length != synchronizedLength else { return nil }
        synchronizedLength = file.length
        return file.synchronizable
    }
}
