import CGLib
import Glibc

/// POSIX signals as calls on a loop. Used on the loop's thread or before it has anything to do; lives as long as the object.
package final class SignalSource {
    private final class Box {
        let received: () -> Void
        init(_ received: @escaping () -> Void) { self.received = received }
    }

    private var source: UnsafeMutablePointer<GSource>?

    /// - Parameters:
    ///   - signal: SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 or SIGWINCH (what `g_unix_signal_source_new` takes).
    ///   - received: runs on the loop's thread, once for each delivery.
    package init(_ signal: Int32, on loop: LoopExecutor, received: @escaping () -> Void) {
        let source = g_unix_signal_source_new(signal)
        self.source = source
        g_source_set_callback(
            source,
            { raw in
                if let raw { Unmanaged<Box>.fromOpaque(raw).takeUnretainedValue().received() }
                return 1
            }, Unmanaged.passRetained(Box(received)).toOpaque(),
            { raw in
                if let raw { Unmanaged<Box>.fromOpaque(raw).release() }
            })
        g_source_attach(source, loop.mainContext)
    }

    deinit {
        g_source_destroy(source)
        g_source_unref(source)
    }
}
