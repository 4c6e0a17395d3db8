import CGLib
import Glibc

/// A thread of its own that works through a bounded queue, batch by batch. What the work needs is made on the thread and
/// never leaves it, so it needs no lock.
package final class WorkerThread<Item: Sendable>: @unchecked Sendable {
    // Safe to share: `queue` is touched with `mutex` held only; the rest does not change after init.
    private struct Queue {
        var items: [Item] = []
        /// Of what waits and of the batch that is being worked on.
        var weight = 0
        var weightInWork = 0
        var isClosed = false
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrived: UnsafeMutablePointer<pthread_cond_t>
    private var queue = Queue()
    private var thread = pthread_t()
    private let capacity: Int

    /// - Parameters:
    ///   - name: the thread's name, 15 bytes at most.
    ///   - capacity: how much weight may wait or be in work (see `push`).
    ///   - makeWork: runs first on the new thread, and gives what every batch is handed to.
    package init(name: String, capacity: Int, makeWork: @escaping @Sendable () -> ([Item]) -> Void) {
        self.capacity = capacity
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        arrived = .allocate(capacity: 1)
        arrived.initialize(to: pthread_cond_t())
        pthread_cond_init(arrived, nil)
        let body = Unmanaged.passRetained(
            ThreadBody { [self] in
                cb_name_this_thread(name)
                let work = makeWork()
                while let batch = nextBatch() { work(batch) }
            })
        let failure = pthread_create(
            &thread, nil,
            { raw in
                guard let raw else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        precondition(failure == 0, "no thread can be made for \(name)")
    }

    /// Queues an item. Never blocks.
    /// - Parameter weight: what it counts against the capacity: its bytes, say. An item of weight 0 is always taken.
    /// - Returns: false when the queue is full or closed, and the item was not taken.
    @discardableResult
    package func push(_ item: Item, weight: Int = 0) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !queue.isClosed, weight == 0 || queue.weight + weight <= capacity else { return false }
        queue.items.append(item)
        queue.weight += weight
        if queue.items.count == 1 { pthread_cond_signal(arrived) }
        return true
    }

    /// Takes no more, works through what is queued, and waits for the thread to end. Call it once, from another thread.
    package func finish() {
        pthread_mutex_lock(mutex)
        queue.isClosed = true
        pthread_cond_signal(arrived)
        pthread_mutex_unlock(mutex)
        pthread_join(thread, nil)
    }

    private func nextBatch() -> [Item]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        queue.weight -= queue.weightInWork
        queue.weightInWork = 0
        while queue.items.isEmpty {
            if queue.isClosed { return nil }
            pthread_cond_wait(arrived, mutex)
        }
        defer {
            queue.items = []
            queue.weightInWork = queue.weight
        }
        return queue.items
    }

    deinit {
        pthread_cond_destroy(arrived)
        arrived.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
}

private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}
