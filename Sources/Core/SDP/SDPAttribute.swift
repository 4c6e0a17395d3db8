/// An `a=` line: `a=name` or `a=name:value`.
package struct SDPAttribute: Hashable, Sendable {
    package var name: String
    package var value: String?

    package init(_ name: String, _ value: String? = nil) {
        self.name = name
        self.value = value
    }
}

/// What has attributes: the session as a whole, and each media section.
package protocol SDPAttributeList {
    var attributes: [SDPAttribute] { get }
}

extension SDPAttributeList {
    /// The value of the first attribute of this name that has one.
    package func value(of name: String) -> String? {
        attributes.first { $0.name == name && $0.value != nil }?.value
    }

    /// The values of all attributes of this name.
    package func values(of name: String) -> [String] { attributes.filter { $0.name == name }.compactMap(\.value) }

    package func has(_ name: String) -> Bool { attributes.contains { $0.name == name } }

    /// Name and password of the ICE agent (RFC 8839 section 5.4); nil unless both are there.
    package var iceCredentials: ICECredentials? {
        guard let usernameFragment = value(of: "ice-ufrag"), let password = value(of: "ice-pwd") else { return nil }
        return ICECredentials(usernameFragment: usernameFragment, password: password)
    }

    /// What the ICE agent can do, such as `trickle` (RFC 8839 section 5.6).
    package var iceOptions: [String] {
        (value(of: "ice-options") ?? "").split(separator: " ").map(String.init)
    }

    /// The digests of the DTLS certificate (RFC 8122 section 5); those that are malformed are left out.
    package var fingerprints: [Fingerprint] { values(of: "fingerprint").compactMap(Fingerprint.init(parsing:)) }

    /// Who begins the DTLS handshake (RFC 8842).
    package var setup: SetupRole? { value(of: "setup").flatMap(SetupRole.init(rawValue:)) }
}

/// Name and password that ICE's connectivity checks carry.
package struct ICECredentials: Hashable, Sendable {
    package var usernameFragment: String
    package var password: String
    package init(usernameFragment: String, password: String) {
        self.usernameFragment = usernameFragment
        self.password = password
    }
}

/// Who begins the DTLS handshake (RFC 4145 section 4): `active` does.
package enum SetupRole: String, Hashable, Sendable { case actpass, active, passive, holdconn }

/// The digest by which a certificate is known (RFC 8122 section 5).
package struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// In lower case: `sha-256`.
    package var hashFunction: String
    package var digest: [UInt8]

    package init(hashFunction: String, digest: [UInt8]) {
        self.hashFunction = hashFunction
        self.digest = digest
    }

    /// Reads `sha-256 AB:CD:…`.
    package init?(parsing text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2 else { return nil }
        var digest: [UInt8] = []
        for pair in words[1].split(separator: ":", omittingEmptySubsequences: false) {
            guard pair.utf8.count == 2, pair.utf8.first != UInt8(ascii: "+"), let byte = UInt8(pair, radix: 16) else {
                return nil
            }
            digest.append(byte)
        }
        self.init(hashFunction: words[0].lowercased(), digest: digest)
    }

    package var description: String {
        let pairs = digest.map { byte in (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
        return "\(hashFunction) \(pairs.joined(separator: ":"))"
    }
}
