import COpenSSL
package import MediaTypes

/// One DTLS 1.2 association (RFC 6347) as a machine on datagrams: OpenSSL between two memory buffers, no socket. It checks the
/// peer's certificate against the fingerprints from the signalling before any key is used, negotiates `use_srtp` (RFC 5764),
/// and carries SCTP as application data (RFC 8261).
///
/// Used on one thread. OpenSSL measures its retransmissions on a clock of its own, so `nextDeadline` is of the real time even
/// where `now` is not.
package final class DTLSSession {
    package enum Role: Sendable { case client, server }

    package enum Output: Equatable {
        /// To be sent to the peer.
        case datagram([UInt8])
        /// The handshake is done and the peer is who it should be.
        case connected(SRTPKeyingMaterial)
        /// What the peer sent inside: one SCTP packet.
        case applicationData([UInt8])
        /// The peer said goodbye (close_notify).
        case closed
        /// It is over; nothing more comes.
        case failed(DTLSError)
    }

    private enum State {
        /// Made; the client has not said hello. A server goes on with the first datagram.
        case idle
        /// Flights go to and fro. Next: connected, closed or failed.
        case handshaking
        /// Keys are agreed on and the peer is known. Next: closed or failed.
        case connected
        /// Either side said goodbye.
        case closed
        case failed
    }

    /// Octets of a UDP payload that pass everywhere (RFC 8261 section 5 asks for no more than 1200).
    package static let maximumDatagram = 1200
    /// What a record adds to application data: header, explicit nonce, tag (AES-GCM, RFC 5288).
    static let recordOverhead = DTLSRecord.headerLength + 8 + 16

    /// Datagrams that were no DTLS, and were dropped before OpenSSL saw them.
    package private(set) var malformedDatagrams = 0
    /// When `wake` wants to be called.
    package private(set) var nextDeadline: MonotonicTime?

    private let role: Role
    private let ssl: OpaquePointer
    private let inbox: OpaquePointer
    private let outbox: OpaquePointer
    private let check: PeerCheck
    private let datagramLimit: Int
    private var state = State.idle
    private var outputs = OutputQueue<Output>()
    private var scratch = [UInt8](repeating: 0, count: 1 << 14)

    /// - Parameters:
    ///   - fingerprints: of the peer, from its session description. With none of them usable every peer is refused.
    ///   - datagramLimit: octets of the largest datagram to send.
    ///   - firstRetransmission: how long to wait for an answer to a flight; doubled each time, up to 3 s.
    package init(
        role: Role, certificate: DTLSCertificate, fingerprints: [CertificateFingerprint],
        datagramLimit: Int = DTLSSession.maximumDatagram, firstRetransmission: Duration = .milliseconds(200)
    ) throws(DTLSError) {
        self.role = role
        self.datagramLimit = datagramLimit
        check = PeerCheck(fingerprints)
        guard let context = SSL_CTX_new(DTLS_method()) else { throw .library(libraryReason()) }
        defer { SSL_CTX_free(context) }  // the SSL keeps its own reference
        cb_ssl_ctx_restrict(context)
        let profiles = SRTPProfile.allCases.map(\.name).joined(separator: ":")
        guard SSL_CTX_use_certificate(context, certificate.certificate) == 1,
            SSL_CTX_use_PrivateKey(context, certificate.key) == 1,
            SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES") == 1,
            SSL_CTX_set_tlsext_use_srtp(context, profiles) == 0  // zero is success, here alone
        else { throw .library(libraryReason()) }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_cert_verify_callback(context, checkPeer, Unmanaged.passUnretained(check).toOpaque())
        guard let ssl = SSL_new(context) else { throw .library(libraryReason()) }
        guard let inbox = cb_new_memory_bio(), let outbox = cb_new_memory_bio() else {
            SSL_free(ssl)
            throw .library("out of memory")
        }
        self.ssl = ssl
        self.inbox = inbox
        self.outbox = outbox
        SSL_set_bio(ssl, inbox, outbox)  // the SSL owns them now
        cb_ssl_set_mtu(ssl, datagramLimit)
        SSL_set_ex_data(ssl, 0, UnsafeMutableRawPointer(bitPattern: UInt(max(1, firstRetransmission.microseconds))))
        DTLS_set_timer_cb(ssl, retransmissionInterval)
        switch role {
        case .client: SSL_set_connect_state(ssl)
        case .server: SSL_set_accept_state(ssl)
        }
    }

    deinit { SSL_free(ssl) }

    /// A client says hello; a server listens.
    package func start(at now: MonotonicTime) {
        guard case .idle = state else { return }
        state = .handshaking
        step(at: now)
    }

    /// Takes one datagram from the peer. What is not DTLS is counted and dropped; what cannot be authenticated once there are
    /// keys, OpenSSL drops by itself.
    package func handle(_ datagram: [UInt8], at now: MonotonicTime) {
        switch state {
        case .closed, .failed: return
        case .idle, .handshaking, .connected: break
        }
        guard DTLSRecord.ends(in: datagram) != nil else {
            malformedDatagrams += 1
            return
        }
        if case .idle = state { state = .handshaking }
        BIO_write(inbox, datagram, Int32(datagram.count))
        step(at: now)
        // A memory BIO keeps no borders between datagrams: what is left of this one must not run into the next.
        cb_bio_clear(inbox)
    }

    /// Sends the last flight again when its answer is overdue.
    package func wake(at now: MonotonicTime) {
        guard let deadline = nextDeadline, deadline <= now, case .handshaking = state else { return rearm(at: now) }
        ERR_clear_error()
        if cb_dtls_handle_timeout(ssl) < 0 { return fail(.handshake("no answer to the last flight, sent many times")) }
        step(at: now)
    }

    /// Sends one SCTP packet. Dropped unless connected, as a datagram may be: SCTP sends it again.
    package func send(_ applicationData: [UInt8], at now: MonotonicTime) {
        guard case .connected = state, !applicationData.isEmpty else { return }
        ERR_clear_error()
        _ = SSL_write(ssl, applicationData, Int32(applicationData.count))
        flush()
    }

    /// Says goodbye (close_notify).
    package func close() {
        switch state {
        case .connected:
            ERR_clear_error()
            _ = SSL_shutdown(ssl)
            flush()
        case .idle, .handshaking, .closed, .failed: break
        }
        if case .failed = state { return }
        state = .closed
        nextDeadline = nil
    }

    package func nextOutput() -> Output? { outputs.next() }

    // MARK: - Steps

    private func step(at now: MonotonicTime) {
        if case .handshaking = state { shakeHands() }
        if case .connected = state { readAll() }
        flush()
        rearm(at: now)
    }

    private func shakeHands() {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        guard result != 1 else { return finishHandshake() }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
        default: fail(failure())
        }
    }

    private func finishHandshake() {
        guard let selected = SSL_get_selected_srtp_profile(ssl),
            let profile = SRTPProfile(rawValue: UInt16(truncatingIfNeeded: selected.pointee.id))
        else { return fail(.noSRTPProfile) }
        let label = "EXTRACTOR-dtls_srtp"
        var exported = [UInt8](repeating: 0, count: SRTPKeyingMaterial.exportedLength(for: profile))
        let isExported = SSL_export_keying_material(ssl, &exported, exported.count, label, label.utf8.count, nil, 0, 0)
        guard isExported == 1,
            let keys = SRTPKeyingMaterial(profile: profile, exported: exported, isClient: role == .client)
        else { return fail(.library(libraryReason())) }
        state = .connected
        flush()  // the last flight goes out before the first use of the keys
        outputs.append(.connected(keys))
    }

    private func readAll() {
        while true {
            ERR_clear_error()
            let length = SSL_read(ssl, &scratch, Int32(scratch.count))
            if length > 0 {
                outputs.append(.applicationData(Array(scratch[..<Int(length)])))
                continue
            }
            switch SSL_get_error(ssl, length) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
            case SSL_ERROR_ZERO_RETURN:
                _ = SSL_shutdown(ssl)
                flush()
                state = .closed
                return outputs.append(.closed)
            default: return fail(failure())
            }
        }
    }

    private func failure() -> DTLSError {
        if check.isMismatch { return .fingerprintMismatch }
        let code = ERR_peek_last_error()
        let reason = Int(cb_err_reason(code))
        // OpenSSL's reasons from 1000 on are the alerts that the peer sent.
        if (1000..<1256).contains(reason) { return .alert(reason - 1000) }
        return .handshake(words(of: code))
    }

    private func fail(_ error: DTLSError) {
        flush()  // the alert
        state = .failed
        nextDeadline = nil
        outputs.append(.failed(error))
    }

    private func flush() {
        let pending = BIO_ctrl_pending(outbox)
        guard pending > 0 else { return }
        var flight = [UInt8](repeating: 0, count: pending)
        let length = BIO_read(outbox, &flight, Int32(pending))
        guard length > 0 else { return }
        flight.removeLast(pending - Int(length))
        for datagram in DTLSRecord.datagrams(of: flight, limit: datagramLimit) { outputs.append(.datagram(datagram)) }
    }

    private func rearm(at now: MonotonicTime) {
        guard case .handshaking = state else { return nextDeadline = nil }
        let left = cb_dtls_timeout(ssl)
        nextDeadline = left < 0 ? nil : now + .microseconds(left)
    }
}

// MARK: - Called by OpenSSL

/// RFC 8122 section 5: of the fingerprints by the strongest function that both know, one must match.
private func checkPeer(_ store: OpaquePointer?, _ raw: UnsafeMutableRawPointer?) -> Int32 {
    guard let store, let raw else { return 0 }
    let check = Unmanaged<PeerCheck>.fromOpaque(raw).takeUnretainedValue()
    if let certificate = X509_STORE_CTX_get0_cert(store), let strongest = check.fingerprints.map(\.hash).max(),
        let digest = digest(of: certificate, by: strongest),
        check.fingerprints.contains(CertificateFingerprint(hash: strongest, digest: digest))
    {
        return 1
    }
    check.isMismatch = true
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
    return 0
}

/// 0 asks for the first interval, which a slot of the SSL keeps; then it doubles. Microseconds.
private func retransmissionInterval(_ ssl: OpaquePointer?, _ last: UInt32) -> UInt32 {
    guard last == 0 else { return min(last &* 2, 3_000_000) }
    return UInt32(clamping: UInt(bitPattern: SSL_get_ex_data(ssl, 0)))
}

/// What the certificate callback needs to know and leaves behind; it outlives every call into OpenSSL.
private final class PeerCheck {
    let fingerprints: [CertificateFingerprint]
    var isMismatch = false
    init(_ fingerprints: [CertificateFingerprint]) { self.fingerprints = fingerprints }
}

private func libraryReason() -> String { words(of: ERR_peek_last_error()) }

private func words(of error: UInt) -> String {
    ERR_reason_error_string(error).map { String(cString: $0) } ?? "error \(error)"
}
