import MediaTypes
package import RecordingFormat
import RoomProtocol
package import WebM

extension RecordingManifest {
    /// The room and the people as tags of the composite.
    package var compositeTags: [Tag] {
        var tags: [Tag.SimpleTag] = []
        if !title.isEmpty { tags.append(.init(name: "TITLE", value: title)) }
        tags.append(.init(name: "DATE_RECORDED", value: origin.iso8601))
        tags.append(.init(name: "ROOM", value: room.address))
        for participant in participants where participant.id != bot?.id {
            tags.append(.init(name: "ACTOR", value: participant.name.isEmpty ? participant.id.value : participant.name))
        }
        tags.append(.init(name: "ENCODER", value: software))
        return [Tag(simpleTags: tags)]
    }

    /// What the call is called: the room's own words for itself; else its address.
    package var title: String { room.description.isEmpty ? room.address : room.description }
}
