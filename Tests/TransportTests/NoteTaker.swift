/// An actor of a test that notes what happens, so that the test can wait for it.
protocol NoteTaker: Actor {
    associatedtype Note: Equatable, Sendable
    nonisolated var notes: AsyncStream<Note> { get }
}

extension NoteTaker {
    /// Waits for notes until all of these have come, in any order.
    /// - Returns: every note up to then that nobody has waited for before.
    nonisolated func wait(for wanted: Note...) async -> [Note] {
        var missing = wanted
        var seen: [Note] = []
        for await note in notes {
            seen.append(note)
            missing.removeAll { $0 == note }
            if missing.isEmpty { break }
        }
        return seen
    }
}
