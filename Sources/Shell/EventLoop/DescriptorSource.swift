import CGLib

/// Calls on a loop when a descriptor can be read from, or its other end is gone. Used on the loop's thread only; lives
/// as long as the object, and the descriptor must be open for as long.
package final class DescriptorSource {
    private final class Box {
        let readable: () -> Void
        init(_ readable: @escaping () -> Void) { self.readable = readable }
    }

    private var source: UnsafeMutablePointer<GSource>?

    /// - Parameter readable: runs on the loop's thread, again and again while there is something to be read.
    package init(_ descriptor: Int32, on loop: LoopExecutor, readable: @escaping () -> Void) {
        let source = g_unix_fd_source_new(descriptor, GIOCondition(rawValue: G_IO_IN.rawValue | G_IO_HUP.rawValue))
        self.source = source
        let dispatch: GUnixFDSourceFunc = { _, _, raw in
            if let raw { Unmanaged<Box>.fromOpaque(raw).takeUnretainedValue().readable() }
            return 1
        }
        g_source_set_callback(
            source, unsafeBitCast(dispatch, to: GSourceFunc.self), Unmanaged.passRetained(Box(readable)).toOpaque(),
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
