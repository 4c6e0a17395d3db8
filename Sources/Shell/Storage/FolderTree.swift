import CDisk
import Glibc

/// A folder with all that is in it. Links in it are never followed: what lies elsewhere is neither counted nor copied
/// nor removed.
package enum FolderTree {
    /// A recording's folder has two levels; what is deeper than this is not ours.
    private static let deepest = 32

    /// The files in it and their sizes, by their paths in it, sorted.
    package static func files(_ path: String) -> [(path: String, bytes: Int64)] {
        var files: [(path: String, bytes: Int64)] = []
        visit(path, "", 0) { file, status in
            if status.kind == .file { files.append((file, status.bytes)) }
        }
        return files
    }

    /// Bytes of all files in it.
    package static func bytes(_ path: String) -> Int64 { files(path).reduce(0) { $0 + $1.bytes } }

    private static func visit(
        _ root: String, _ path: String, _ depth: Int, _ take: (String, FileStatus) -> Void
    ) {
        guard depth < deepest, let names = try? Folder.entries(path.isEmpty ? root : root + "/" + path) else { return }
        for name in names {
            let path = path.isEmpty ? name : path + "/" + name
            guard let status = FileStatus(root + "/" + path) else { continue }
            take(path, status)
            if status.kind == .folder { visit(root, path, depth + 1, take) }
        }
    }

    // MARK: - Removing

    /// Removes it all. What could not be removed stops it, and the rest is there still.
    package static func remove(_ path: String) throws(StorageError) {
        try remove(path, in: AT_FDCWD, at: path, depth: 0)
    }

    /// - Parameters:
    ///   - name: in an open folder; so nobody can put a link in the way in between.
    ///   - path: the same, to be told.
    private static func remove(_ name: String, in parent: Int32, at path: String, depth: Int) throws(StorageError) {
        guard depth < deepest else { throw StorageError(.remove, path, errno: ELOOP) }
        let folder = try FileDescriptor(opening: name, in: parent, for: .remove, path)
        let number = folder.number
        for entry in try entries(of: number, at: path) {
            let inner = path + "/" + entry
            var status = stat()
            guard fstatat(number, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                try remove(entry, in: number, at: inner, depth: depth + 1)
            } else if unlinkat(number, entry, 0) != 0, errno != ENOENT {
                throw StorageError(.remove, inner, errno: errno)
            }
        }
        guard unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw StorageError(.remove, path, errno: errno)
        }
    }

    private static func entries(of folder: Int32, at path: String) throws(StorageError) -> [String] {
        let copy = dup(folder)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let failure = errno
            if copy >= 0 { close(copy) }
            throw StorageError(.list, path, errno: failure)
        }
        defer { closedir(stream) }
        return Folder.names(in: stream)
    }

    // MARK: - Copying

    /// Copies files and folders, with modes 0600 and 0700, onto the disk. Sockets and links are left out.
    /// - Parameters:
    ///   - destination: must not exist yet; the folder above it must.
    ///   - includes: which paths within the folder are wanted.
    ///   - progress: called with the bytes that were copied since the last call; says whether to go on.
    /// - Returns: whether it is all there: false when it was told to stop, and what was copied was removed.
    package static func copy(
        _ path: String, to destination: String, where includes: (String) -> Bool = { _ in true },
        progress: (Int64) -> Bool = { _ in true }
    ) throws(StorageError) -> Bool {
        try Folder.create(destination)
        do throws(StorageError) {
            var folders = [destination]
            var isStopped = false
            for file in files(path) where includes(file.path) {
                let folder = Folder.parent(of: destination + "/" + file.path)
                if folders.last != folder {
                    try Folder.createMissing(folder)
                    folders.append(folder)
                }
                guard try copyFile(path + "/" + file.path, to: destination + "/" + file.path, progress: progress) else {
                    isStopped = true
                    break
                }
            }
            guard !isStopped else {
                try remove(destination)
                return false
            }
            for folder in Set(folders) { try Folder.synchronize(folder) }
            return true
        } catch {
            try? remove(destination)
            throw error
        }
    }

    private static func copyFile(
        _ path: String, to destination: String, progress: (Int64) -> Bool
    ) throws(StorageError) -> Bool {
        let source = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, for: .read)
        let target = try FileDescriptor(
            opening: destination, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, for: .create)
        let (from, to) = (source.number, target.number)
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        while true {
            let count = try retrying(.read, path) { read(from, &block, block.count) }
            guard count > 0 else { break }
            try target.write(count == block.count ? block : Array(block[..<count]), at: offset, for: .copy, destination)
            offset += Int64(count)
            guard progress(Int64(count)) else { return false }
        }
        // What was made of another file is not older than it afterwards, either.
        var status = stat()
        if fstat(from, &status) == 0 { _ = futimens(to, [status.st_atim, status.st_mtim]) }
        try retrying(.synchronize, destination) { fdatasync(to) }
        return true
    }

    // MARK: - Moving

    /// Gives a folder another place in the same file system, where nothing may be yet. All of it is at one of both at any
    /// moment, whenever the process or the machine stops.
    /// - Returns: false when the other place is in another file system, and nothing was done.
    package static func rename(_ path: String, to destination: String) throws(StorageError) -> Bool {
        guard cb_rename_to_new(path, destination) == 0 else {
            if errno == EXDEV { return false }
            throw StorageError(.move, errno == EEXIST || errno == ENOTEMPTY ? destination : path, errno: errno)
        }
        try Folder.synchronize(Folder.parent(of: destination))
        try Folder.synchronize(Folder.parent(of: path))
        return true
    }
}
