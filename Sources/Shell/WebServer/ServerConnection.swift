import CGLib
import CSoup
import EventLoop
import MediaTypes

/// One client's connection, with the one deadline that it is under. On its loop's thread.
final class ServerConnection {
    let id: Int
    private let socket: UnsafeMutablePointer<GSocket>
    private let isSecure: Bool
    private var timer: LoopTimer?

    /// Takes the socket over.
    init(id: Int, consuming socket: UnsafeMutablePointer<GSocket>, isSecure: Bool, on loop: LoopExecutor) {
        self.id = id
        self.socket = socket
        self.isSecure = isSecure
        timer = LoopTimer(on: loop) { [unowned self] in hangUp() }
    }

    deinit { g_object_unref(socket) }

    /// Hangs up after so long, unless another deadline is set before; nil for none.
    func setDeadline(after time: Duration?) { timer?.set(time.map { HostClock.now() + $0 }) }

    /// Ends it at once, whatever is under way: libsoup finds it closed.
    func hangUp() {
        timer?.set(nil)
        g_socket_shutdown(socket, 1, 1, nil)
    }

    /// Says why before anything else can be said, and says no more. What is still sent to us is not to fill memory: it is
    /// hung up on soon.
    func turnAway(_ status: Int) {
        if !isSecure {
            let answer = Self.answer(status)
            g_socket_send_with_blocking(socket, answer, gsize(answer.count), 0, nil, nil)
        }
        g_socket_shutdown(socket, 0, 1, nil)
        setDeadline(after: .seconds(1))
    }

    /// A whole answer in bytes.
    static func answer(_ status: Int) -> [UInt8] {
        let refusal = Response.refusal(status)
        guard case .bytes(let body) = refusal.body else { return [] }
        let fields =
            (SecurityHeaders.all.map { ($0.name, $0.value) } + refusal.headers.fields.map { ($0.name, $0.value) })
            .map { "\($0): \($1)\r\n" }.joined()
        return Array(
            ("HTTP/1.1 \(status) \(Response.reason(status))\r\n\(fields)Content-Length: \(body.count)\r\n"
                + "Connection: close\r\n\r\n").utf8) + body
    }
}
