import Glibc
import Synchronization

private let received = Atomic<Int32>(0)

/// SIGINT and SIGTERM for work that asks now and then whether it is to stop, and is not cut off in the middle.
enum StopSignals {
    /// Takes the signals from now on.
    /// - Returns: tells which one came first; nil while there was none.
    static func watch() -> @Sendable () -> Int32? {
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                _ = received.compareExchange(expected: 0, desired: number, ordering: .relaxed)
            }
        }
        return {
            let number = received.load(ordering: .relaxed)
            return number == 0 ? nil : number
        }
    }
}
