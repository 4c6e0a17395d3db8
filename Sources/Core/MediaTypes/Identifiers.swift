/// Who somebody is in a room, as the room's server names them: a number or a string, kept as text.
package struct ParticipantID: Hashable, Sendable, CustomStringConvertible {
    package let value: String
    package init(_ value: String) { self.value = value }
    package var description: String { value }
}

/// One recorded track: one sender's one medium, from the moment it was subscribed to until it ended. A track that comes
/// back (another SSRC, a recycled m-line) is a new one. Numbered from 1 within a recording.
package struct TrackID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: Int
    package init(_ number: Int) { self.number = number }
    package static func < (a: Self, b: Self) -> Bool { a.number < b.number }
    package var description: String { String(number) }
}

/// The name of a media section in an SDP session, "mid" (RFC 9143). Not an identity of what is sent in it: servers
/// recycle media sections.
package struct MediaSectionID: Hashable, Sendable, CustomStringConvertible {
    package let value: String
    package init(_ value: String) { self.value = value }
    package var description: String { value }
}
