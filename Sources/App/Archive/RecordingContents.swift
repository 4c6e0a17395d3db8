import MediaTypes
import RecordingFormat

/// All that the index keeps of one recording.
struct RecordingContents: Hashable, Sendable {
    struct Person: Hashable, Sendable {
        var id: String
        var name: String
    }

    struct Track: Hashable, Sendable {
        var number: Int
        var participant: String
        var kind: String
        var source: String
        var codec: String
        var started: TimelineTime
        var ended: TimelineTime?
        var bytes: Int64
        /// Within the recording's folder.
        var file: String?
    }

    struct Gap: Hashable, Sendable {
        /// Nil for the whole room.
        var track: Int?
        var from: TimelineTime
        var to: TimelineTime
        var reason: String
    }

    /// Something that can be searched for.
    struct Line: Hashable, Sendable {
        var at: TimelineTime
        var kind: FoundLine.Kind
        /// Who has said it, or is meant; nil for nobody.
        var person: String?
        var text: String
    }

    var recording: ArchivedRecording
    var people: [Person] = []
    var tracks: [Track] = []
    var gaps: [Gap] = []
    var lines: [Line] = []
    var stamp = RecordingStamp()
}
