import Glibc

/// A thread of its own that works for one other thread: it is given one piece of work after the other, and what comes of each
/// is fetched in the same order. What the work needs is made on the thread and never leaves it.
package final class Assistant<Work: Sendable, Outcome: Sendable>: Sendable {
    private let worker: WorkerThread<Work>
    private let outcomes: Outcomes<Outcome>

    /// - Parameters:
    ///   - name: the thread's name, 15 bytes at most.
    ///   - makeWork: runs first on the new thread, and gives what every piece of work is handed to.
    package init(name: String, makeWork: @escaping @Sendable () -> (Work) -> Outcome) {
        let outcomes = Outcomes<Outcome>()
        self.outcomes = outcomes
        worker = WorkerThread(name: name, capacity: .max) {
            let work = makeWork()
            return { batch in for item in batch { outcomes.append(work(item)) } }
        }
    }

    deinit { worker.finish() }

    /// Hands over a piece of work. Never blocks.
    package func begin(_ work: Work) { worker.push(work) }

    /// What came of the oldest piece of work that has not been fetched; waits for it.
    package func fetch() -> Outcome { outcomes.next() }
}

private final class Outcomes<Outcome: Sendable>: @unchecked Sendable {
    // Safe to share: `waiting` is touched with `mutex` held only; the rest does not change after init.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrived: UnsafeMutablePointer<pthread_cond_t>
    private var waiting: [Outcome] = []

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        arrived = .allocate(capacity: 1)
        arrived.initialize(to: pthread_cond_t())
        pthread_cond_init(arrived, nil)
    }

    deinit {
        pthread_cond_destroy(arrived)
        arrived.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func append(_ outcome: Outcome) {
        pthread_mutex_lock(mutex)
        waiting.append(outcome)
        pthread_cond_signal(arrived)
        pthread_mutex_unlock(mutex)
    }

    func next() -> Outcome {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty { pthread_cond_wait(arrived, mutex) }
        return waiting.removeFirst()
    }
}
