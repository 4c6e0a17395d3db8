import MediaTypes

extension WebServer {
    package struct Configuration: Sendable {
        /// Where to listen: an IPv4 or IPv6 address.
        package var address = "127.0.0.1"
        /// 0 for any that is free.
        package var port: UInt16 = 0
        /// Files in PEM; both for TLS, nil for none.
        package var certificateFile: String?
        package var keyFile: String?
        /// Further names under which the server is asked; on loopback, others are refused.
        package var hosts: [String] = []
        package var limits = Limits()
        package init() {}
    }

    /// What one client may take of the server.
    package struct Limits: Sendable {
        /// Of the path with its query, in bytes.
        package var target = 4096
        /// Of all header fields, in bytes; libsoup itself takes no more than 64 KiB of a head.
        package var head = 16 * 1024
        /// Of a body, in bytes.
        package var body = 64 * 1024
        /// At the same time; another one is turned away.
        package var connections = 128
        /// Until a connection's head is there.
        package var headTime = Duration.seconds(10)
        /// Until a body is there.
        package var bodyTime = Duration.seconds(30)
        /// Without anything being taken of an answer. A player that pauses takes nothing for a while, and asks again later.
        package var stallTime = Duration.seconds(300)
        /// From one sign of life to the next in a stream of events.
        package var beatInterval = Duration.seconds(15)
        package init() {}
    }
}

/// Why a server could not be started.
package enum WebServerError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformedAddress(String)
    /// The port is in use, or not allowed, or the address is not this host's.
    case cannotListen(String, reason: String)
    case certificate(file: String, reason: String)

    package var description: String {
        switch self {
        case .malformedAddress(let address): "'\(address)' is no IP address to listen at"
        case .cannotListen(let place, let reason): "cannot listen at \(place): \(reason)"
        case .certificate(let file, let reason): "the certificate in \(file) cannot be used: \(reason)"
        }
    }
}
