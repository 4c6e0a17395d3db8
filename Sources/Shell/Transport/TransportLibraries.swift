import COpenSSL
import CSRTP

/// The libraries behind the transport, as far as they tell their version.
package enum TransportLibraries {
    package static var versions: [(name: String, version: String)] {
        [
            ("openssl", String(cString: OpenSSL_version(OPENSSL_FULL_VERSION_STRING))),
            ("libsrtp2", String(cString: srtp_get_version_string())),
        ]
    }
}
