import CGLib
package import MediaTypes

/// One deadline on a loop, set again and again. It fires at an absolute time and so does not drift. Used on the loop's
/// thread only; when the object goes, so does the timer.
package final class LoopTimer {
    private var source: UnsafeMutablePointer<GSource>?
    private let fired: () -> Void
    private var deadline: MonotonicTime?

    /// - Parameter fired: runs on the loop's thread when the deadline has come. The timer is unarmed then.
    package init(on loop: LoopExecutor, fired: @escaping () -> Void) {
        self.fired = fired
        let source = cb_job_source_new(
            { Unmanaged<LoopTimer>.fromOpaque($0).takeUnretainedValue().fire() },
            Unmanaged.passUnretained(self).toOpaque())
        self.source = source
        g_source_set_priority(source, G_PRIORITY_HIGH)
        g_source_attach(source, loop.mainContext)
    }

    /// Arms the timer for `deadline`, or disarms it. Cheap when the deadline is the one already set.
    package func set(_ deadline: MonotonicTime?) {
        guard deadline != self.deadline else { return }
        self.deadline = deadline
        guard let deadline else { return g_source_set_ready_time(source, -1) }
        // GLib counts on CLOCK_MONOTONIC, the core on CLOCK_BOOTTIME: carry the distance over, not the value.
        let wait = max(0, (deadline - HostClock.now()).nanoseconds + 999) / 1000
        g_source_set_ready_time(source, g_get_monotonic_time() + Int(wait))
    }

    private func fire() {
        guard deadline != nil else { return }
        deadline = nil
        fired()
    }

    deinit {
        g_source_destroy(source)
        g_source_unref(source)
    }
}
