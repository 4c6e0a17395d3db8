import MediaTypes
package import RecordingFormat
import RoomProtocol
package import WebM

extension RecordedTrack {
    /// What the track's file is called by players.
    package func title(participantName: String) -> String {
        let name = participantName.isEmpty ? participant.value : participantName
        return "\(name) (\(source == .unknown ? kind.rawValue : source.rawValue))"
    }

    /// What a finished file says of the track.
    package func tags(participantName: String, roomAddress: String) -> [Tag] {
        [
            Tag(simpleTags: [
                .init(name: "TITLE", value: title(participantName: participantName)),
                .init(name: "ROOM", value: roomAddress),
                .init(name: "PARTICIPANT", value: participant.value),
                .init(name: "PARTICIPANT_NAME", value: participantName),
                .init(name: "SOURCE", value: source.rawValue),
            ])
        ]
    }
}
