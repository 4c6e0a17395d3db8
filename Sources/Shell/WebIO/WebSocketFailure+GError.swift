import CSoup

extension WebSocketFailure {
    /// From what libsoup says of a handshake that failed. Takes the error over.
    init(consuming error: UnsafeMutablePointer<GError>?, message: OpaquePointer?) {
        guard let error else {
            self = .unreachable("no reason is known")
            return
        }
        defer { g_error_free(error) }
        let reason = error.pointee.message.map { lowercasedFirst(String(cString: $0)) } ?? "no reason is known"
        switch error.pointee.domain {
        case g_resolver_error_quark(): self = .unresolved(reason)
        case g_tls_error_quark(): self = .tls(certificateProblem(of: message) ?? reason)
        case soup_websocket_error_quark():
            let status = message.map { Int(soup_message_get_status($0).rawValue) } ?? 0
            if status > 0, status != 101 {
                let phrase = message.flatMap { soup_message_get_reason_phrase($0) }.map { String(cString: $0) }
                self = .status(status, phrase ?? "no reason given")
            } else {
                self = .notWebSocket(reason)
            }
        case soup_session_error_quark(): self = .notWebSocket(reason)
        case g_io_error_quark() where Self.isAnswer(error.pointee.code): self = .notWebSocket(reason)
        default: self = .unreachable(reason)
        }
    }

    /// Whether somebody was there, took the connection and then spoke something else or nothing.
    private static func isAnswer(_ code: gint) -> Bool {
        code == gint(G_IO_ERROR_PARTIAL_INPUT.rawValue) || code == gint(G_IO_ERROR_INVALID_DATA.rawValue)
            || code == gint(G_IO_ERROR_CONNECTION_CLOSED.rawValue)
    }
}

/// In words, what is wrong with the server's certificate; nil when that was not the trouble.
private func certificateProblem(of message: OpaquePointer?) -> String? {
    guard let message else { return nil }
    let flags = soup_message_get_tls_peer_certificate_errors(message).rawValue
    let problems: [(flag: UInt32, words: String)] = [
        (G_TLS_CERTIFICATE_UNKNOWN_CA.rawValue, "is signed by nobody who is trusted"),
        (G_TLS_CERTIFICATE_BAD_IDENTITY.rawValue, "is for another name"),
        (G_TLS_CERTIFICATE_NOT_ACTIVATED.rawValue, "is not valid yet"),
        (G_TLS_CERTIFICATE_EXPIRED.rawValue, "has expired"),
        (G_TLS_CERTIFICATE_REVOKED.rawValue, "was revoked"),
        (G_TLS_CERTIFICATE_INSECURE.rawValue, "uses insecure algorithms"),
        (G_TLS_CERTIFICATE_GENERIC_ERROR.rawValue, "cannot be checked"),
    ]
    let words = problems.filter { flags & $0.flag != 0 }.map(\.words)
    return words.isEmpty ? nil : "the server's certificate " + words.joined(separator: " and ")
}

private func lowercasedFirst(_ text: String) -> String {
    // "Could not connect", but not "TLS handshake" or "HTTP": a second capital means a name.
    guard let first = text.first, let second = text.dropFirst().first, !second.isUppercase else { return text }
    return first.lowercased() + text.dropFirst()
}
