import Glibc

/// What could not be done with which file, and why.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Operation: String, Sendable {
        case create, open, append, patch, synchronize, read, replace, lock, list, remove, move, copy
        case makeFolder = "make the folder"
        case measureFreeSpace = "measure the free space of"
    }

    /// The causes that callers decide by.
    package enum Cause: Hashable, Sendable {
        /// The disk or the user's quota is full, or the file is larger than is allowed.
        case noSpace
        case readOnly
        case permission
        case exists
        case missing
        /// Somebody else holds the lock.
        case locked
        /// More files than the process may have open.
        case tooManyOpenFiles
        case other
    }

    package let operation: Operation
    package let path: String
    /// The error number of the system call.
    package let errno: Int32

    package init(_ operation: Operation, _ path: String, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// Something is there that must not be.
    package static func exists(_ path: String) -> StorageError { StorageError(.create, path, errno: EEXIST) }

    package var cause: Cause {
        switch errno {
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EROFS: .readOnly
        case EACCES, EPERM: .permission
        case EEXIST: .exists
        case ENOENT, ENOTDIR: .missing
        case EWOULDBLOCK: .locked
        case EMFILE, ENFILE: .tooManyOpenFiles
        default: .other
        }
    }

    /// In words: "no space left", "it is there already".
    package var reason: String {
        switch cause {
        case .noSpace: errno == EFBIG ? "the file would be larger than is allowed" : "no space left"
        case .readOnly: "the file system is read-only"
        case .permission: "permission denied"
        case .exists: "it is there already"
        case .missing: "no such file or folder"
        case .locked: "it is in use by another process"
        case .tooManyOpenFiles: "too many open files"
        case .other: Self.systemText(errno)
        }
    }

    package var description: String { "cannot \(operation.rawValue) \(path): \(reason)" }

    private static func systemText(_ number: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        // Without glibc's extensions, this is the POSIX variant, which fills the buffer and returns 0.
        guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
