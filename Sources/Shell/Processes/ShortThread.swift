import Glibc

/// A thread for something short that is not to be done on the caller's.
struct ShortThread {
    private let thread: pthread_t

    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Nil when the machine has no more threads; then nothing is done.
    init?(_ body: @escaping () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits until it is done.
    func join() { pthread_join(thread, nil) }
}
