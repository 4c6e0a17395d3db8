import Glibc

/// Why nothing could be said, or listened to, at a socket of this machine.
package struct LocalSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    /// The error number of the system call.
    package var errno: Int32

    init(_ path: String, errno: Int32) {
        self.path = path
        self.errno = errno
    }

    /// Whether nobody listens: there is no socket, or the one who made it is gone.
    package var isNobodyThere: Bool { [ENOENT, ENOTDIR, ECONNREFUSED, ECONNRESET, EPIPE].contains(errno) }

    /// Whether a line was longer than can be said.
    package var isTooLong: Bool { errno == EMSGSIZE }

    package var reason: String {
        switch errno {
        case ENOENT, ENOTDIR, ECONNREFUSED: "nobody listens"
        case ECONNRESET, EPIPE: "the connection was closed without an answer"
        case EACCES, EPERM: "permission denied"
        case EAGAIN, ETIMEDOUT: "there was no answer in time"
        case ENAMETOOLONG: "its name is too long"
        case EMSGSIZE: "what was said is too long"
        default: "error \(errno)"
        }
    }

    package var description: String { "\(path): \(reason)" }
}
