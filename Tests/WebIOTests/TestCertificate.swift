import Glibc

/// A self-signed certificate for 127.0.0.1, made by openssl for one test.
struct TestCertificate {
    struct NotMade: Error {}

    private let folder: String
    /// Key and certificate, for the server.
    var identity: String { "\(folder)/identity.pem" }
    /// The certificate alone, for whoever is to trust it.
    var certificate: String { "\(folder)/certificate.pem" }

    init() throws {
        var template = Array("/tmp/callbot-tls.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw NotMade() }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1"
                + " -addext subjectAltName=IP:127.0.0.1 -keyout \(folder)/key.pem -out \(folder)/certificate.pem"
                + " && cat \(folder)/key.pem \(folder)/certificate.pem > \(folder)/identity.pem")
    }

    func remove() {
        for name in ["key.pem", "certificate.pem", "identity.pem"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func run(_ command: String) throws {
        guard system("( \(command) ) >/dev/null 2>&1") == 0 else { throw NotMade() }
    }
}
