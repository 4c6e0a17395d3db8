import EventLoop

/// Server-sent events for one reader, from any thread. What the reader does not take is queued, up to a limit; beyond it
/// the reader is too slow, and the stream is over.
package final class EventStream: Sendable {
    private struct Queue {
        var waiting: [UInt8] = []
        var isOver = false
        var changed: (@Sendable () -> Void)?
    }

    private let capacity: Int
    private let queue = Locked(Queue())

    /// - Parameter capacity: how many bytes may wait.
    package init(capacity: Int = 256 * 1024) { self.capacity = capacity }

    /// Whether nobody reads any more, or it was ended.
    package var isOver: Bool { queue.withLock { $0.isOver } }

    /// Sends an event; its name and its data may have any characters in them but line feeds in the name.
    /// - Parameter id: what a reader that comes back says it has seen last.
    /// - Returns: whether the stream goes on.
    @discardableResult
    package func send(_ event: String, id: String? = nil, data: String) -> Bool {
        send(Self.encoded(event, id: id, data: data))
    }

    /// Sends an event that was encoded before, for many readers at once.
    /// - Returns: whether the stream goes on.
    @discardableResult
    package func send(_ encoded: [UInt8]) -> Bool { append(encoded) }

    /// An event as it is sent.
    package static func encoded(_ event: String, id: String? = nil, data: String) -> [UInt8] {
        func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let lines = data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let head = (id.map { "id: \(line($0))\n" } ?? "") + "event: \(line(event))\n"
        return Array((head + lines.map { "data: \($0)\n" }.joined() + "\n").utf8)
    }

    /// Says that there is nothing new: whoever has gone is found out so.
    func beat() { _ = append(Array(":\n\n".utf8)) }

    /// Ends the stream; what waits is still delivered.
    package func end() {
        queue.withLock { queue in
            queue.isOver = true
            return queue.changed
        }?()
    }

    /// - Parameter changed: called on any thread when there is something to be taken, or nothing more will come.
    func attach(_ changed: @escaping @Sendable () -> Void) { queue.withLock { $0.changed = changed } }

    /// What waits, and whether that is the end.
    func take() -> (bytes: [UInt8], isOver: Bool) {
        queue.withLock { queue in
            defer { queue.waiting = [] }
            return (queue.waiting, queue.isOver)
        }
    }

    /// Nobody reads any more.
    func abandon() {
        queue.withLock { queue in
            queue.isOver = true
            queue.waiting = []
            queue.changed = nil
        }
    }

    private func append(_ bytes: [UInt8]) -> Bool {
        let (changed, goesOn) = queue.withLock { queue -> ((@Sendable () -> Void)?, Bool) in
            guard !queue.isOver else { return (nil, false) }
            if queue.waiting.count + bytes.count > capacity {
                queue.isOver = true
            } else {
                queue.waiting += bytes
            }
            return (queue.changed, !queue.isOver)
        }
        changed?()
        return goesOn
    }
}
