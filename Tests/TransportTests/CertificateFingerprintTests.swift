import Testing

@testable import Transport

struct CertificateFingerprintTests {
    @Test func textAndBackAgain() throws {
        let fingerprint = try DTLSCertificate().fingerprint
        #expect(fingerprint.digest.count == 32)
        #expect(fingerprint.hexadecimal.count == 95)
        #expect(
            CertificateFingerprint(algorithm: "SHA-256", hexadecimal: fingerprint.hexadecimal.lowercased())
                == fingerprint)
    }

    @Test(arguments: [
        ("sha-256", "AB"), ("sha-1", ""), ("sha-1", String(repeating: "AB:", count: 20)),
        ("sha-1", [String](repeating: "+1", count: 20).joined(separator: ":")),
        ("sha-1", [String](repeating: "GG", count: 20).joined(separator: ":")),
        ("md5", [String](repeating: "AB", count: 16).joined(separator: ":")),
    ])
    func nonsenseIsNoFingerprint(algorithm: String, digest: String) {
        #expect(CertificateFingerprint(algorithm: algorithm, hexadecimal: digest) == nil)
    }
}
