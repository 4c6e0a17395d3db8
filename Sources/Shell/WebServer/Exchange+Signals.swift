import CGLib
import CSoup

extension Exchange {
    private typealias Plain = @convention(c) (OpaquePointer?, gpointer?) -> Void
    private typealias Chunk = @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void

    /// What the message's signals hold: the exchange is the server's, and may be gone.
    private final class Reference {
        weak var exchange: Exchange?
        let ended: () -> Void
        init(_ exchange: Exchange, ended: @escaping () -> Void) {
            self.exchange = exchange
            self.ended = ended
        }
    }

    /// Follows the message from its head to its end.
    /// - Parameter ended: called once nothing more will come.
    func watch(ended: @escaping () -> Void) {
        let gotHead: Plain = { _, raw in Exchange.reference(raw)?.exchange?.gotHead() }
        let gotChunk: Chunk = { _, bytes, raw in
            Exchange.reference(raw)?.exchange?.gotChunk(bytes.map { Int(g_bytes_get_size($0)) } ?? 0)
        }
        let gotBody: Plain = { _, raw in Exchange.reference(raw)?.exchange?.gotBody() }
        let wroteChunk: Plain = { _, raw in Exchange.reference(raw)?.exchange?.wroteChunk() }
        let over: Plain = { _, raw in
            guard let reference = Exchange.reference(raw) else { return }
            reference.exchange?.over()
            reference.ended()
        }
        let reference = Reference(self, ended: ended)
        for (signal, callback) in [
            ("got-headers", unsafeBitCast(gotHead, to: GCallback.self)),
            ("got-chunk", unsafeBitCast(gotChunk, to: GCallback.self)),
            ("got-body", unsafeBitCast(gotBody, to: GCallback.self)),
            ("wrote-chunk", unsafeBitCast(wroteChunk, to: GCallback.self)),
            ("finished", unsafeBitCast(over, to: GCallback.self)),
            ("disconnected", unsafeBitCast(over, to: GCallback.self)),
        ] {
            g_signal_connect_data(
                UnsafeMutableRawPointer(message), signal, callback, Unmanaged.passRetained(reference).toOpaque(),
                { raw, _ in if let raw { Unmanaged<Reference>.fromOpaque(raw).release() } }, GConnectFlags(rawValue: 0))
        }
    }

    private static func reference(_ raw: gpointer?) -> Reference? {
        raw.map { Unmanaged<Reference>.fromOpaque($0).takeUnretainedValue() }
    }
}
