/// How media packets are encrypted and authenticated, as agreed on in the DTLS handshake (RFC 5764 section 4.1.2).
package enum SRTPProfile: UInt16, CaseIterable, Sendable {
    /// RFC 7714. First choice: five times cheaper here.
    case aeadAES128GCM = 0x0007
    /// What every WebRTC endpoint must have (RFC 8827 section 6.5).
    case aes128CMHMACSHA1at80 = 0x0001

    /// Octets of a master key.
    var keyLength: Int { 16 }

    /// Octets of a master salt.
    var saltLength: Int {
        switch self {
        case .aeadAES128GCM: 12
        case .aes128CMHMACSHA1at80: 14
        }
    }

    /// OpenSSL's word for it.
    var name: String {
        switch self {
        case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
        case .aes128CMHMACSHA1at80: "SRTP_AES128_CM_SHA1_80"
        }
    }
}

/// What the DTLS handshake leaves for SRTP: the profile, and each direction's master key with its salt behind it.
package struct SRTPKeyingMaterial: Equatable, Sendable {
    package let profile: SRTPProfile
    /// For what we protect.
    package let outbound: [UInt8]
    /// For what we unprotect.
    package let inbound: [UInt8]

    package init(profile: SRTPProfile, outbound: [UInt8], inbound: [UInt8]) {
        self.profile = profile
        self.outbound = outbound
        self.inbound = inbound
    }

    /// Splits what the exporter gave: client key, server key, client salt, server salt (RFC 5764 section 4.2). Nil unless it
    /// has exactly the length that the profile needs.
    package init?(profile: SRTPProfile, exported: [UInt8], isClient: Bool) {
        let key = profile.keyLength
        let salt = profile.saltLength
        guard exported.count == Self.exportedLength(for: profile) else { return nil }
        let client = exported[..<key] + exported[(2 * key)..<(2 * key + salt)]
        let server = exported[key..<(2 * key)] + exported[(2 * key + salt)...]
        self.init(
            profile: profile, outbound: Array(isClient ? client : server), inbound: Array(isClient ? server : client))
    }

    static func exportedLength(for profile: SRTPProfile) -> Int { 2 * (profile.keyLength + profile.saltLength) }
}
