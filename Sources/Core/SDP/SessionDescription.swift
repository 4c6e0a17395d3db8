package import MediaTypes

/// A session description (RFC 8866): what one side of a WebRTC connection offers or answers. Lines keep their order
/// within the session and within each media section.
package struct SessionDescription: Hashable, Sendable, SDPAttributeList {
    package var origin: SDPOrigin
    package var sessionName: String
    /// The session's lines that are neither version, origin, name nor attribute: `t=`, `c=`, `b=` and such.
    package var otherLines: [SDPLine]
    package var attributes: [SDPAttribute]
    package var media: [MediaSection]

    package init(
        origin: SDPOrigin, sessionName: String = "-", otherLines: [SDPLine] = [SDPLine(type: "t", value: "0 0")],
        attributes: [SDPAttribute] = [], media: [MediaSection] = []
    ) {
        self.origin = origin
        self.sessionName = sessionName
        self.otherLines = otherLines
        self.attributes = attributes
        self.media = media
    }

    /// The media sections that share one transport, by their mids (RFC 9143); empty when there is no such group.
    package var bundle: [MediaSectionID] {
        for value in values(of: "group") {
            let words = value.split(separator: " ")
            if words.first == "BUNDLE" { return words.dropFirst().map { MediaSectionID(String($0)) } }
        }
        return []
    }

    /// The section with this mid.
    package func section(_ mid: MediaSectionID) -> MediaSection? { media.first { $0.mid == mid } }
}

/// Who made the description and which version of it this is: the `o=` line (RFC 8866 section 5.2).
package struct SDPOrigin: Hashable, Sendable {
    package var username: String
    /// Kept as text: the RFC has them numeric, but sets no bound.
    package var sessionID: String
    package var sessionVersion: String
    /// Network type, address type and address.
    package var address: String

    package init(
        username: String = "-", sessionID: String, sessionVersion: String, address: String = "IN IP4 127.0.0.1"
    ) {
        self.username = username
        self.sessionID = sessionID
        self.sessionVersion = sessionVersion
        self.address = address
    }
}

/// A line that nothing here looks into.
package struct SDPLine: Hashable, Sendable {
    package var type: Character
    package var value: String

    package init(type: Character, value: String) {
        self.type = type
        self.value = value
    }
}
