import CSRTP

/// Both directions of SRTP and SRTCP (RFC 3711, RFC 7714) for everything on one transport: any number of SSRCs inbound, and
/// RTCP of ours outbound. A function on octets: authenticates, decrypts and encrypts in place, and does no I/O.
package final class SRTPContext {
    package enum Failure: Error, Hashable {
        /// Not our key, or changed on the way.
        case unauthentic
        /// Has been here already (or shares its number with one that was).
        case replayed
        /// So late that it can no longer be told from a replay.
        case tooOld
        /// Not a packet.
        case malformed
        /// The library refuses for a reason that no packet should give; its status.
        case library(UInt32)
    }

    /// What was turned away.
    package struct Counts: Equatable, Sendable {
        package var unauthentic = 0
        package var replayed = 0
        package var tooOld = 0
        package var malformed = 0
        package var other = 0

        mutating func count(_ failure: Failure) {
            switch failure {
            case .unauthentic: unauthentic += 1
            case .replayed: replayed += 1
            case .tooOld: tooOld += 1
            case .malformed: malformed += 1
            case .library: other += 1
            }
        }
    }

    /// How many packets back a late one is still known to be new. A retransmission may come 2 s late; a screen share of
    /// 8 Mbit/s sends about 2000 packets meanwhile.
    static let replayWindow: UInt = 4096
    /// Octets that protecting adds at most: a GCM tag and the SRTCP index (RFC 7714 section 9), rounded up.
    static let tailRoom = 32

    /// Inbound packets that were turned away so far.
    package private(set) var failures = Counts()

    private let inbound: srtp_t
    private let outbound: srtp_t

    package init(_ keys: SRTPKeyingMaterial) throws(Failure) {
        guard isLibraryReady else { throw .library(srtp_err_status_init_fail.rawValue) }
        inbound = try session(profile: keys.profile, key: keys.inbound, direction: ssrc_any_inbound)
        do {
            outbound = try session(profile: keys.profile, key: keys.outbound, direction: ssrc_any_outbound)
        } catch {
            srtp_dealloc(inbound)
            throw error
        }
    }

    deinit {
        srtp_dealloc(inbound)
        srtp_dealloc(outbound)
    }

    /// Authenticates and decrypts an RTP packet in place.
    /// - Returns: how many octets from the start are the RTP packet now.
    package func unprotectRTP(_ packet: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try unprotect(packet, shortest: 12, by: srtp_unprotect)
    }

    /// Authenticates and decrypts a compound RTCP packet in place.
    /// - Returns: how many octets from the start are the RTCP packet now.
    package func unprotectRTCP(_ packet: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try unprotect(packet, shortest: 8, by: srtp_unprotect_rtcp)
    }

    /// Encrypts a compound RTCP packet of ours.
    package func protectRTCP(_ packet: [UInt8]) throws(Failure) -> [UInt8] {
        try protect(packet, shortest: 8, by: srtp_protect_rtcp)
    }

    /// Encrypts an RTP packet. Only tests send media.
    func protectRTP(_ packet: [UInt8]) throws(Failure) -> [UInt8] {
        try protect(packet, shortest: 12, by: srtp_protect)
    }

    private func unprotect(
        _ packet: UnsafeMutableRawBufferPointer, shortest: Int,
        by function: (srtp_t?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?) -> srtp_err_status_t
    ) throws(Failure) -> Int {
        // libsrtp reads the fixed header before it looks at the length.
        guard packet.count >= shortest, var length = Int32(exactly: packet.count) else {
            failures.count(.malformed)
            throw .malformed
        }
        let status = function(inbound, packet.baseAddress, &length)
        guard status == srtp_err_status_ok else {
            let failure = Failure(status)
            failures.count(failure)
            throw failure
        }
        return Int(length)
    }

    private func protect(
        _ packet: [UInt8], shortest: Int,
        by function: (srtp_t?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?) -> srtp_err_status_t
    ) throws(Failure) -> [UInt8] {
        guard packet.count >= shortest, var length = Int32(exactly: packet.count) else { throw .malformed }
        var protected = packet
        protected.reserveCapacity(packet.count + Self.tailRoom)
        protected.append(contentsOf: repeatElement(0, count: Self.tailRoom))
        let status = function(outbound, &protected, &length)
        guard status == srtp_err_status_ok else { throw Failure(status) }
        protected.removeLast(protected.count - Int(length))
        return protected
    }
}

extension SRTPContext.Failure {
    fileprivate init(_ status: srtp_err_status_t) {
        switch status {
        case srtp_err_status_auth_fail, srtp_err_status_cipher_fail: self = .unauthentic
        case srtp_err_status_replay_fail: self = .replayed
        case srtp_err_status_replay_old, srtp_err_status_pkt_idx_old: self = .tooOld
        case srtp_err_status_bad_param, srtp_err_status_parse_err, srtp_err_status_cant_check: self = .malformed
        default: self = .library(status.rawValue)
        }
    }
}

/// libsrtp's own state, made once in a process.
private let isLibraryReady = srtp_init() == srtp_err_status_ok

private func session(
    profile: SRTPProfile, key: [UInt8], direction: srtp_ssrc_type_t
) throws(SRTPContext.Failure) -> srtp_t {
    guard key.count == profile.keyLength + profile.saltLength else { throw .malformed }
    var policy = srtp_policy_t()
    switch profile {
    case .aeadAES128GCM:
        srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp)
        srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp)
    case .aes128CMHMACSHA1at80:
        srtp_crypto_policy_set_rtp_default(&policy.rtp)
        srtp_crypto_policy_set_rtcp_default(&policy.rtcp)
    }
    policy.ssrc.type = direction
    policy.window_size = SRTPContext.replayWindow
    var key = key
    var session: srtp_t?
    let status = key.withUnsafeMutableBufferPointer { key in
        policy.key = key.baseAddress  // copied before srtp_create returns
        return srtp_create(&session, &policy)
    }
    guard status == srtp_err_status_ok, let session else { throw SRTPContext.Failure(status) }
    return session
}
