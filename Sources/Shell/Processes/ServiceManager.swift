import Glibc

/// Tells the service manager that started this process how it is (sd_notify, from systemd's manual: datagrams to a socket that
/// the environment names). Does nothing where there is none.
package struct ServiceManager: Sendable {
    private let address: String?
    /// How often it wants a sign of life (WATCHDOG_USEC); nil when it does not.
    package let watchdogInterval: Duration?

    package init() {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        address = variable("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
        let isMeant = variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        watchdogInterval = isMeant ? variable("WATCHDOG_USEC").flatMap { Int64($0) }.map { .microseconds($0) } : nil
    }

    /// - Parameter state: lines such as `READY=1`, `WATCHDOG=1`, `STOPPING=1` or `STATUS=3 recordings`.
    package func notify(_ state: String) {
        guard let address else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var destination = sockaddr_un()
        destination.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        guard path.count < MemoryLayout.size(ofValue: destination.sun_path) else { return }
        // An abstract address is written with an @.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &destination.sun_path) { $0.copyBytes(from: path) }
        let length = MemoryLayout<sa_family_t>.size + path.count
        let bytes = Array(state.utf8)
        withUnsafePointer(to: &destination) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
            }
        }
    }
}
