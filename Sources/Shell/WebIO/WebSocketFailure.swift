import MediaTypes

/// Why there is no WebSocket connection. Decide by the case; the description is a part of a sentence for the user.
package enum WebSocketFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address is no URL.
    case malformedAddress(String)
    /// The server's name has no address.
    case unresolved(String)
    /// Nobody listens there, or there is no way there.
    case unreachable(String)
    case timedOut(after: Duration)
    /// TLS failed, or the server's certificate is not trusted.
    case tls(String)
    /// The file of trusted certificates cannot be used.
    case certificateFile(String)
    /// An HTTP server answered, and not by switching protocols (RFC 6455 section 4.1).
    case status(Int, String)
    /// What answers is no WebSocket, or no HTTP server.
    case notWebSocket(String)
    /// A WebSocket server that does not speak what it was asked for (RFC 6455 section 1.9).
    case wrongSubprotocol(wanted: String, got: String?)

    package var description: String {
        switch self {
        case .malformedAddress(let address): "'\(address)' is no address of a WebSocket"
        case .unresolved(let reason), .unreachable(let reason), .tls(let reason): reason
        case .timedOut(let time): "there was no answer within \(Int(time.seconds.rounded(.up))) s"
        case .certificateFile(let reason): "the file of trusted certificates cannot be used: \(reason)"
        case .status(let status, let reason): "an HTTP server answers, with status \(status) (\(reason))"
        case .notWebSocket(let reason): "there is no WebSocket: \(reason)"
        case .wrongSubprotocol(let wanted, let got):
            "the WebSocket speaks \(got.map { "'\($0)'" } ?? "no subprotocol") and not '\(wanted)'"
        }
    }
}
