package import JSON

/// Why a recording's file cannot be read.
package enum RecordingFormatError: Error, Hashable, Sendable {
    case notJSON(JSONError)
    /// It says a version that is newer than this program, or none.
    case unsupportedVersion(Int?)
    /// A key that must be there is not, or holds something else.
    case missing(String)
}
