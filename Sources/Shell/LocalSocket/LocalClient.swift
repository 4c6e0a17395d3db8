import Glibc
import MediaTypes

/// Says one line to a `LocalServer` of this machine, and waits for its answer.
package enum LocalClient {
    /// - Parameters:
    ///   - line: without line feed, at most `LocalServer.longestLine` bytes.
    ///   - patience: how long each step may take.
    /// - Returns: the answer, without line feed.
    package static func ask(
        _ line: [UInt8], in folder: String, named name: String, patience: Duration = .seconds(10)
    ) throws(LocalSocketError) -> [UInt8] {
        let address = try LocalSocketAddress(folder: folder, name: name)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = try SocketDescriptor(Glibc.socket(AF_UNIX, kind, 0), of: address.path)
        let number = socket.number
        guard line.count <= LocalServer.longestLine else { throw LocalSocketError(address.path, errno: EMSGSIZE) }
        let microseconds = patience.nanoseconds / 1000
        var time = timeval(
            tv_sec: Int(microseconds / 1_000_000), tv_usec: __suseconds_t(microseconds % 1_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(number, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        try address.use { connect(number, $0, $1) }
        return try withExtendedLifetime(socket) { () throws(LocalSocketError) in
            try send(line + [0x0A], to: number, address.path)
            return try receive(from: number, address.path)
        }
    }

    private static func send(_ bytes: [UInt8], to socket: Int32, _ path: String) throws(LocalSocketError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw LocalSocketError(path, errno: errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func receive(from socket: Int32, _ path: String) throws(LocalSocketError) -> [UInt8] {
        var lines = LineBuffer(limit: LocalServer.longestLine)
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw LocalSocketError(path, errno: count == 0 ? ECONNRESET : errno) }
            lines.append(chunk[..<count])
            if let line = lines.next() { return line }
            if lines.isOverfull { throw LocalSocketError(path, errno: EMSGSIZE) }
        }
    }
}
