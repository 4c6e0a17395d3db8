package import SDP

/// A hash function that may name a certificate in an SDP session (RFC 8122 section 5), weakest first.
package enum CertificateHash: String, Comparable, CaseIterable, Sendable {
    case sha1 = "sha-1"
    case sha256 = "sha-256"
    case sha384 = "sha-384"
    case sha512 = "sha-512"

    /// Octets of the digest.
    package var length: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    package static func < (a: Self, b: Self) -> Bool { a.length < b.length }
}

/// The digest of a certificate, as it stands in `a=fingerprint` (RFC 8122 section 5). It is what ties the DTLS peer to the
/// signalling: certificates are self-signed.
package struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    package let hash: CertificateHash
    package let digest: [UInt8]

    package init(hash: CertificateHash, digest: [UInt8]) {
        self.hash = hash
        self.digest = digest
    }

    /// As the session description has it. Nil for a function that is not known (the session may have another fingerprint) and
    /// for a digest that is not of the function's length.
    package init?(_ fingerprint: Fingerprint) {
        guard let hash = CertificateHash(rawValue: fingerprint.hashFunction), fingerprint.digest.count == hash.length
        else { return nil }
        self.init(hash: hash, digest: fingerprint.digest)
    }

    /// For our session description.
    package var attribute: Fingerprint { Fingerprint(hashFunction: hash.rawValue, digest: digest) }

    package var description: String { attribute.description }
}
