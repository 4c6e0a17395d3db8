import CGLib
import Glibc

/// A GLib main loop on a thread of its own, as a Swift executor: actors that name it as their executor run on that
/// thread, and C callbacks of libraries that live on the loop are already isolated to them (`assumeIsolated`).
package final class LoopExecutor: SerialExecutor, @unchecked Sendable {
    // Safe to share: `context` and `loop` are thread-safe GLib objects, `source` is only kicked, the rest is locked.
    private let name: String
    private let context: OpaquePointer
    private let loop: OpaquePointer
    private var source: UnsafeMutablePointer<GSource>?
    private let jobs = Locked<[UnownedJob]>([])
    private let isStopping = Locked(false)
    private let thread = Locked<pthread_t?>(nil)

    private static let isPrepared: Void = cb_prepare_gio()

    /// Makes the loop and starts its thread. The executor lives until `stop()`.
    package init(name: String) {
        self.name = name
        Self.isPrepared
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
        let source = cb_job_source_new(
            { Unmanaged<LoopExecutor>.fromOpaque($0).takeUnretainedValue().drain() },
            Unmanaged.passUnretained(self).toOpaque())
        self.source = source
        g_source_set_priority(source, G_PRIORITY_DEFAULT)
        g_source_attach(source, context)
        start()
    }

    /// The loop's context as C libraries want it: to attach a source, or to make an object that lives on this loop.
    package var mainContext: OpaquePointer { context }

    /// Whether the caller runs on the loop's thread.
    package var isOnLoop: Bool {
        thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wasEmpty = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if wasEmpty { g_source_set_ready_time(source, 0) }
    }

    package func checkIsolated() {
        precondition(isOnLoop, "this must run on the event loop's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    /// Ends the loop after what is queued, and waits for its thread. Call it once, from any other thread.
    package func stop() {
        precondition(!isOnLoop, "the loop cannot wait for itself")
        let joining = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let joining else { return }
        // Quitting from a job and not from here: a quit that overtakes the thread's start would be lost.
        isStopping.withLock { $0 = true }
        g_source_set_ready_time(source, 0)
        pthread_join(joining, nil)
    }

    deinit {
        g_source_destroy(source)
        g_source_unref(source)
        g_main_loop_unref(loop)
        g_main_context_unref(context)
    }

    private func drain() {
        let batch = jobs.withLock { jobs in
            let batch = jobs
            jobs = []
            return batch
        }
        for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
        if isStopping.withLock({ $0 }) { g_main_loop_quit(loop) }
    }

    private func start() {
        let me = Unmanaged.passRetained(self)
        var created = pthread_t()
        // The lock is held until the thread is known, so that the loop's first job already sees where it runs.
        thread.withLock { thread in
            let failure = pthread_create(
                &created, nil,
                { raw in
                    guard let raw else { return nil }
                    let executor = Unmanaged<LoopExecutor>.fromOpaque(raw).takeRetainedValue()
                    cb_name_this_thread(executor.name)
                    g_main_context_push_thread_default(executor.context)
                    g_main_loop_run(executor.loop)
                    g_main_context_pop_thread_default(executor.context)
                    return nil
                }, me.toOpaque())
            precondition(failure == 0, "no thread can be made for the event loop")
            thread = created
        }
    }
}
