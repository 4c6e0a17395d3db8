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

    /// From the attribute's two words, for example `sha-256` and `AB:CD:…`. Nil for a function that is not known (the
    /// session may have another fingerprint) and for a digest that is not hexadecimal or not of the function's length.
    package init?(algorithm: some StringProtocol, hexadecimal: some StringProtocol) {
        guard let hash = CertificateHash(rawValue: algorithm.lowercased()) else { return nil }
        var digest: [UInt8] = []
        for octet in hexadecimal.split(separator: ":", omittingEmptySubsequences: false) {
            guard octet.utf8.count == 2, octet.allSatisfy(\.isHexDigit), let value = UInt8(octet, radix: 16) else {
                return nil
            }
            digest.append(value)
        }
        guard digest.count == hash.length else { return nil }
        self.init(hash: hash, digest: digest)
    }

    /// The digest in upper case with colons, as SDP wants it.
    package var hexadecimal: String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }

    package var description: String { "\(hash.rawValue) \(hexadecimal)" }
}
