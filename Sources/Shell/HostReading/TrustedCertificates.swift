/// The authorities that the system trusts.
package enum TrustedCertificates {
    /// Where Debian keeps them, in one file.
    package static let file = "/etc/ssl/certs/ca-certificates.crt"

    /// How many there are.
    package static func count(in file: String = file) -> Int {
        HostFile.text(file)?.split(separator: "\n").count { $0.hasPrefix("-----BEGIN CERTIFICATE-----") } ?? 0
    }
}
