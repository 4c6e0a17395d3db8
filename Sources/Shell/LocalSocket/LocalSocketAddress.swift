import Glibc

/// Where a socket of this machine is: a name in a folder. A socket's path may have no more than 107 bytes; below a
/// folder whose own path is longer, it is reached by way of the opened folder.
struct LocalSocketAddress {
    private static let longestPath = 107

    let path: String
    private var address = sockaddr_un()
    /// Held for as long as the address is used; nil when the path is short enough.
    private let folder: SocketDescriptor?

    init(folder path: String, name: String) throws(LocalSocketError) {
        self.path = path + "/" + name
        if self.path.utf8.count <= Self.longestPath {
            folder = nil
            fill(with: self.path)
        } else {
            let folder = try SocketDescriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), of: self.path)
            self.folder = folder
            let way = "/proc/self/fd/\(folder.number)/\(name)"
            guard way.utf8.count <= Self.longestPath else { throw LocalSocketError(self.path, errno: ENAMETOOLONG) }
            fill(with: way)
        }
    }

    private mutating func fill(with path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    }

    /// Calls the system with the address; a negative result becomes an error.
    func use(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) throws(LocalSocketError) {
        let failure: Int32 = withExtendedLifetime(folder) {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) < 0 ? errno : 0
                }
            }
        }
        if failure != 0 { throw LocalSocketError(path, errno: failure) }
    }
}

/// An open socket or folder; closed when nobody holds it.
final class SocketDescriptor {
    let number: Int32

    /// - Parameter number: what the system gave; a negative one becomes an error.
    init(_ number: Int32, of path: String) throws(LocalSocketError) {
        guard number >= 0 else { throw LocalSocketError(path, errno: errno) }
        self.number = number
    }

    deinit { close(number) }
}
