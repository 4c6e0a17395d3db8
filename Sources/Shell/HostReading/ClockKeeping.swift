import CHost

/// Whether somebody keeps the host's clock right.
package enum ClockKeeping: Hashable, Sendable {
    case synchronized
    case unsynchronized
    /// The kernel does not tell, as in some containers.
    case unknown

    package static func read() -> ClockKeeping {
        switch cb_clock_is_synchronized() {
        case 1: .synchronized
        case 0: .unsynchronized
        default: .unknown
        }
    }
}
