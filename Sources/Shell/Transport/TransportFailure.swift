import MediaTypes

/// Why a connection came to nothing, or ended. ICE's part is a matter of the network, DTLS's one of trust or of the peer.
package enum TransportFailure: Error, Equatable, CustomStringConvertible {
    /// No way to the peer was found in time.
    case noPath(after: Duration)
    /// There was a way; the peer does not answer on any any more (RFC 7675).
    case pathLost
    /// There is a way, but the handshake did not end in time.
    case handshakeTimeout(after: Duration)
    case dtls(DTLSError)
    /// libsrtp refuses the keys.
    case srtp(SRTPContext.Failure)

    /// Whether it is ICE that failed.
    package var isICE: Bool {
        switch self {
        case .noPath, .pathLost: true
        case .handshakeTimeout, .dtls, .srtp: false
        }
    }

    package var description: String {
        switch self {
        case .noPath(let wait): "no network path to the peer was found within \(Int(wait.seconds.rounded())) s"
        case .pathLost: "the peer does not answer any more"
        case .handshakeTimeout(let wait): "the DTLS handshake did not end within \(Int(wait.seconds.rounded())) s"
        case .dtls(let error): error.description
        case .srtp(let failure): "SRTP: \(failure)"
        }
    }
}
