import CSoup

/// The libraries behind HTTP and WebSockets.
package enum WebLibraries {
    package static var versions: [(name: String, version: String)] {
        [
            ("glib", "\(glib_major_version).\(glib_minor_version).\(glib_micro_version)"),
            ("libsoup", "\(soup_get_major_version()).\(soup_get_minor_version()).\(soup_get_micro_version())"),
        ]
    }

    /// Whether GLib has found a module that does TLS; without one, no `wss` and no `https`.
    package static var hasTLS: Bool {
        guard let backend = g_tls_backend_get_default() else { return false }
        return g_tls_backend_supports_tls(backend) != 0
    }
}
