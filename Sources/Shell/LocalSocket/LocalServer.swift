package import EventLoop
import Glibc

/// Answers what other programs of this user say, a line for a line, over a Unix socket in a folder. Lives on a loop's
/// thread, and is made and let go there; the socket is there for as long as the object.
///
/// Nothing waits for a client: one that says nothing is a descriptor, one that says too much or does not read what it
/// is told is cut off, and there are never more than a few.
package final class LocalServer {
    /// Bytes of a line without its line feed.
    package static let longestLine = 64 << 10
    /// How many may be connected; the one that has been for longest goes when there is one more.
    private static let mostClients = 16

    private let path: String
    private let loop: LoopExecutor
    private let socket: SocketDescriptor
    private var arrivals: DescriptorSource?
    private var clients: [LocalServerClient] = []
    private let answer: ([UInt8]) -> [UInt8]
    private let complaint: [UInt8]

    /// Listens, with mode 0600. A socket of that name which is there is replaced.
    /// - Parameters:
    ///   - complaint: what is said to whoever sends a line that is too long, before they are cut off.
    ///   - answer: makes the answer to a line; both are without line feed.
    package init(
        in folder: String, named name: String, on loop: LoopExecutor, complaint: [UInt8],
        answer: @escaping ([UInt8]) -> [UInt8]
    ) throws(LocalSocketError) {
        let address = try LocalSocketAddress(folder: folder, name: name)
        path = address.path
        self.loop = loop
        self.complaint = complaint
        self.answer = answer
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        socket = try SocketDescriptor(Glibc.socket(AF_UNIX, kind, 0), of: path)
        let number = socket.number
        unlink(path)
        // Linux makes the file with the mode that the socket has, so that at no moment others may connect.
        guard fchmod(number, 0o600) == 0 else { throw LocalSocketError(path, errno: errno) }
        try address.use { bind(number, $0, $1) }
        guard listen(number, 8) == 0 else {
            let failure = errno
            unlink(path)
            throw LocalSocketError(path, errno: failure)
        }
        arrivals = DescriptorSource(number, on: loop) { [weak self] in self?.accept() }
    }

    deinit {
        arrivals = nil  // before its descriptor is closed
        unlink(path)
    }

    private func accept() {
        let number = Glibc.accept(socket.number, nil, nil)
        guard let descriptor = try? SocketDescriptor(number, of: path) else { return recover(errno) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        if clients.count == Self.mostClients { clients.removeFirst() }
        clients.append(
            LocalServerClient(descriptor, limit: Self.longestLine, on: loop) { [weak self] client in
                self?.serve(client)
            })
    }

    /// Who cannot be let in keeps knocking, and the loop would hear nothing else: somebody goes, or nobody comes any
    /// more.
    private func recover(_ failure: Int32) {
        if [EAGAIN, EINTR, ECONNABORTED].contains(failure) { return }
        if clients.isEmpty { arrivals = nil } else { clients.removeFirst() }
    }

    private func serve(_ client: LocalServerClient) {
        let isOpen = client.read()
        while let line = client.nextLine() {
            guard client.say(answer(line)) else { return dismiss(client) }
        }
        if client.isTooLong {
            _ = client.say(complaint)
            dismiss(client)
        } else if !isOpen {
            dismiss(client)
        }
    }

    private func dismiss(_ client: LocalServerClient) { clients.removeAll { $0 === client } }
}

/// One connection.
private final class LocalServerClient {
    private let descriptor: SocketDescriptor
    private var source: DescriptorSource?
    private var lines: LineBuffer

    /// - Parameter arrived: called when there is something to read, or the connection is over.
    init(
        _ descriptor: SocketDescriptor, limit: Int, on loop: LoopExecutor,
        arrived: @escaping (LocalServerClient) -> Void
    ) {
        self.descriptor = descriptor
        lines = LineBuffer(limit: limit)
        source = DescriptorSource(descriptor.number, on: loop) { [weak self] in if let self { arrived(self) } }
    }

    deinit { source = nil }  // before its descriptor is closed

    /// Takes in some of what is there, so that nobody keeps the loop from others for long.
    /// - Returns: false when the connection is over.
    func read() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor.number, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count > 0 { lines.append(chunk[..<count]) }
        return count > 0 || (count < 0 && [EAGAIN, EINTR].contains(errno))
    }

    func nextLine() -> [UInt8]? { lines.next() }
    var isTooLong: Bool { lines.isOverfull }

    /// - Returns: false when they do not take it.
    func say(_ line: [UInt8]) -> Bool {
        let bytes = line + [0x0A]
        return send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == bytes.count
    }
}
