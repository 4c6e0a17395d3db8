import Glibc

/// Whether UDP sockets can be made, and whether IPv6 leads anywhere. Nothing is sent.
package struct DatagramSockets: Hashable, Sendable {
    package enum Reach: Hashable, Sendable {
        /// There is a way to other machines.
        case routed
        /// Sockets can be made, but there is no way out of this machine.
        case local
        /// No socket can be made: the system's words.
        case none(String)
    }

    package var version4: Reach
    package var version6: Reach

    package init(version4: Reach, version6: Reach) {
        self.version4 = version4
        self.version6 = version6
    }

    /// Asks the routing table about the addresses that are kept for documentation (RFC 5737, RFC 3849).
    package static func read() -> DatagramSockets {
        DatagramSockets(
            version4: reach(AF_INET, local: "127.0.0.1", remote: "192.0.2.1"),
            version6: reach(AF_INET6, local: "::1", remote: "2001:db8::1"))
    }

    private static func reach(_ family: Int32, local: String, remote: String) -> Reach {
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .none(systemWords(errno)) }
        defer { close(descriptor) }
        // A UDP socket that is connected has only been given a route: no packet leaves.
        if withAddress(family, remote, port: 9, { connect(descriptor, $0, $1) }) == 0 { return .routed }
        guard withAddress(family, local, port: 0, { bind(descriptor, $0, $1) }) == 0 else {
            return .none(systemWords(errno))
        }
        return .local
    }

    private static func withAddress(
        _ family: Int32, _ text: String, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        func lend<Address>(_ address: Address) -> Int32 {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        if family == AF_INET {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(family)
            address.sin_port = port.bigEndian
            inet_pton(family, text, &address.sin_addr)
            return lend(address)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(family)
        address.sin6_port = port.bigEndian
        inet_pton(family, text, &address.sin6_addr)
        return lend(address)
    }

    private static func systemWords(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }
}
