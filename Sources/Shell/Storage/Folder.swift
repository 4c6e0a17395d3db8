import Glibc

/// Folders: made private, and onto the disk.
package enum Folder {
    /// Makes a folder, with mode 0700, and those above it that are missing. Fails if it is there already.
    package static func create(_ path: String) throws(StorageError) {
        try createMissing(parent(of: path))
        try make(path)
    }

    /// Makes a folder and those above it unless they are there already.
    package static func createMissing(_ path: String) throws(StorageError) {
        if isFolder(path) { return }
        try createMissing(parent(of: path))
        do {
            try make(path)
        } catch {
            // Another process may have been quicker.
            guard error.cause == .exists, isFolder(path) else { throw error }
        }
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether there is anything at a path, be it a file, a folder or a link to nowhere.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Throws when nothing can be made in a folder.
    package static func requireWritable(_ path: String) throws(StorageError) {
        try retrying(.create, path) { access(path, W_OK | X_OK) }
    }

    /// Whether something can be made in a folder.
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK | X_OK) == 0 }

    /// Removes a folder if there is nothing in it.
    package static func removeEmpty(_ path: String) { rmdir(path) }

    /// The names in a folder, sorted by their bytes, without `.` and `..`.
    package static func entries(_ path: String) throws(StorageError) -> [String] {
        guard let stream = opendir(path) else { throw StorageError(.list, path, errno: errno) }
        defer { closedir(stream) }
        return names(in: stream)
    }

    static func names(in stream: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A path without links in it; nil where there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A path from the root.
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }

    /// Bytes that this user may still write to the file system of a path.
    package static func freeSpace(of path: String) throws(StorageError) -> Int64 {
        var status = statvfs()
        try retrying(.measureFreeSpace, path) { statvfs(path, &status) }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// Waits until names that were added to a folder are on the disk.
    package static func synchronize(_ path: String) throws(StorageError) {
        let descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY, for: .synchronize)
        let number = descriptor.number
        do {
            try retrying(.synchronize, path) { fsync(number) }
        } catch {
            // Some file systems cannot do this for folders, and need not.
            guard error.errno == EINVAL else { throw error }
        }
    }

    /// The folder that a path lies in.
    package static func parent(of path: String) -> String {
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest.removeLast() }
        guard let slash = rest.lastIndex(of: "/") else { return "." }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
    }

    private static func make(_ path: String) throws(StorageError) {
        try retrying(.makeFolder, path) { mkdir(path, 0o700) }
        FolderOwner.giveFolder(path)
        try synchronize(parent(of: path))
    }
}
