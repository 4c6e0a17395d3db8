import COpenSSL

/// A self-signed certificate and its key (ECDSA on P-256), made anew for each connection: who we are is said by the
/// fingerprint in the session description, not by the certificate's words (RFC 8827 section 6.5).
package final class DTLSCertificate: @unchecked Sendable {
    // Safe to share: neither object changes after init.
    let certificate: OpaquePointer
    let key: OpaquePointer
    /// What the session description has to say.
    package let fingerprint: CertificateFingerprint

    package init() throws(DTLSError) {
        guard let key = cb_generate_p256_key(), let certificate = X509_new() else { throw .library("no key") }
        self.key = key
        self.certificate = certificate
        let serial: UInt64 = .random(in: 1...UInt64(Int64.max))
        let name = X509_get_subject_name(certificate)
        let day = 86_400
        let isSigned =
            X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1
            // From yesterday: the peer's clock may be behind.
            && X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil
            && X509_gmtime_adj(X509_getm_notAfter(certificate), 30 * day) != nil
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "WebRTC", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1
            && X509_set_pubkey(certificate, key) == 1
            && X509_sign(certificate, key, EVP_sha256()) > 0
        let digest = digest(of: certificate, by: .sha256)
        fingerprint = CertificateFingerprint(hash: .sha256, digest: digest ?? [])
        guard isSigned, digest != nil else { throw .library("the certificate cannot be signed") }
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }
}

/// The digest of a certificate's DER form.
func digest(of certificate: OpaquePointer, by hash: CertificateHash) -> [UInt8]? {
    let function =
        switch hash {
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard X509_digest(certificate, function, &digest, &length) == 1 else { return nil }
    return Array(digest.prefix(Int(length)))
}
