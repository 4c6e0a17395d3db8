import JSON
import MediaTypes
import RoomProtocol

/// The facts of a track that the manifest and the journal tell alike: all but its media section, which says nothing about
/// the recording.
extension TrackPublication {
    func write(into fields: inout JSONFields) {
        fields.set("track", id.number)
        fields.set("participant", participant.value)
        fields.set("kind", kind.rawValue)
        fields.set("source", source.rawValue)
        fields.set("codec", codec.rawValue)
        fields.set("description", description)
        fields.set("publishedAs", publishedAs.value)
    }

    /// The section is empty.
    init(_ json: JSONValue) throws(RecordingFormatError) {
        self.init(
            id: try json.track(), participant: try json.participant(), kind: try json.choice("kind"),
            source: json["source"]?.string.flatMap(TrackSource.init) ?? .unknown, codec: try json.choice("codec"),
            description: json["description"]?.string ?? "", publishedAs: try json.section("publishedAs"),
            section: MediaSectionID(""))
    }
}
