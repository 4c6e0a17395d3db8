import Glibc

/// What could not be done with a process, and why.
package struct ProcessError: Error, Hashable, Sendable, CustomStringConvertible {
    package let action: String
    /// The error number of the system call.
    package let errno: Int32

    init(_ action: String, errno: Int32) {
        self.action = action
        self.errno = errno
    }

    package var description: String {
        let reason =
            switch errno {
            case ENOENT: "no such program, or folder"
            case EACCES, EPERM: "permission denied"
            case EAGAIN: "there are too many processes"
            case ENOMEM: "there is not enough memory"
            case ESRCH: "there is no such process"
            default: "error \(errno)"
            }
        return "cannot \(action): \(reason)"
    }
}
