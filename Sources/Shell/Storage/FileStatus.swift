import Glibc

/// What the system says of a file or folder, without opening it. A link is not followed.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, folder, link, other }

    package var kind: Kind
    package var bytes: Int64
    /// When it was changed last, in nanoseconds since 1970 by the wall clock. Of a folder: when names in it were.
    package var modified: Int64
    /// Its number in its file system: another one when it was replaced.
    package var inode: UInt64

    /// Nil where there is nothing, or nothing that may be looked at.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        bytes = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }
}
