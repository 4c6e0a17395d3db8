import CProcess
package import EventLoop
import Glibc

/// Waits for a process to end, whether or not this process has started it, and sends it signals. Used on the loop's thread
/// only.
package final class ProcessWatch {
    /// How it ended; nil when it was not this process's child, so that only the fact is known.
    package enum Exit: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
        case unknown
    }

    package let identity: ProcessIdentity
    private let descriptor: Int32
    private var source: DescriptorSource?

    /// - Parameter ended: called once, on the loop's thread.
    /// - Throws: when there is no such process (any more).
    package init(
        _ identity: ProcessIdentity, on loop: LoopExecutor, ended: @escaping (Exit) -> Void
    ) throws(ProcessError) {
        self.identity = identity
        descriptor = cb_process_descriptor(identity.number)
        guard descriptor >= 0 else { throw ProcessError("watch process \(identity.number)", errno: errno) }
        // Since the descriptor is there, the number cannot pass to another process unnoticed.
        guard let fields = ProcessTable.fields(of: identity.number), UInt64(fields[19]) == identity.start else {
            close(descriptor)
            throw ProcessError("watch process \(identity.number)", errno: ESRCH)
        }
        source = DescriptorSource(descriptor, on: loop) { [weak self] in
            guard let self, source != nil else { return }
            source = nil
            ended(Self.reap(identity.number))
        }
    }

    deinit {
        source = nil
        close(descriptor)
    }

    /// Sends it a signal; nothing happens when it has ended.
    package func signal(_ number: Int32) { _ = cb_signal_process(descriptor, number) }

    private static func reap(_ number: Int32) -> Exit {
        var status: Int32 = 0
        var reaped = waitpid(number, &status, WNOHANG)
        while reaped < 0, errno == EINTR { reaped = waitpid(number, &status, WNOHANG) }
        guard reaped == number else { return .unknown }
        let signal = status & 0x7f
        return signal == 0 ? .code(status >> 8 & 0xff) : .signal(signal)
    }
}
