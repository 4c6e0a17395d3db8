/// Why a DTLS session came to nothing.
package enum DTLSError: Error, Equatable, CustomStringConvertible {
    /// The peer's certificate is not the one whose fingerprint the signalling gave: somebody is in between, or the description
    /// belongs to another connection.
    case fingerprintMismatch
    /// The peer ended the handshake or the session by a fatal alert, by its number (RFC 8446 section 6).
    case alert(Int)
    /// What the peer said makes no sense to OpenSSL, in OpenSSL's words.
    case handshake(String)
    /// Shaken hands, but without a protection profile for media in common.
    case noSRTPProfile
    /// A call to OpenSSL failed that has no reason to fail.
    case library(String)

    package var description: String {
        switch self {
        case .fingerprintMismatch: "the peer's certificate is not the one that was announced"
        case .alert(let number): "the peer sent the DTLS alert \(number)"
        case .handshake(let words): "DTLS handshake: \(words)"
        case .noSRTPProfile: "the peer offers no SRTP protection profile that we know"
        case .library(let words): "OpenSSL: \(words)"
        }
    }
}
