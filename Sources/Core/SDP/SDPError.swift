/// What makes a text no session description (RFC 8866). Attributes are never the reason: one that does not read as its
/// RFC says is kept as it is, and not seen by the typed properties.
package struct SDPError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Sendable {
        case empty = "there is nothing"
        case tooLong = "it is too long"
        case notTypeEqualsValue = "the line is not of the form x=value"
        case unknownVersion = "the version is not 0"
        case versionMissing = "it does not begin with v=0"
        case malformedOrigin = "the origin line has not six fields"
        case malformedMedia = "the media line has not kind, port, protocol and formats"
        case malformedPort = "the port is no number from 0 to 65535"
    }
    package var reason: Reason
    /// From 1.
    package var line: Int

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }

    package var description: String { "SDP line \(line): \(reason.rawValue)" }
}
