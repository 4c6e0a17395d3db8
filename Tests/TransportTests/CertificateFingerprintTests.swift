import SDP
import Testing

@testable import Transport

struct CertificateFingerprintTests {
    @Test func throughTheSessionDescriptionAndBackAgain() throws {
        let fingerprint = try DTLSCertificate().fingerprint
        #expect(fingerprint.digest.count == 32)
        let parsed = try #require(Fingerprint(parsing: fingerprint.description))
        #expect(CertificateFingerprint(parsed) == fingerprint)
    }

    @Test(arguments: [("sha-256", 20), ("sha-1", 0), ("sha-1", 21), ("md5", 16), ("", 32)])
    func nonsenseIsNoFingerprint(algorithm: String, length: Int) {
        let attribute = Fingerprint(hashFunction: algorithm, digest: [UInt8](repeating: 1, count: length))
        #expect(CertificateFingerprint(attribute) == nil)
    }
}
