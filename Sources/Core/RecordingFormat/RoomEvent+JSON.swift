import JSON
import MediaTypes
import RoomProtocol

extension RoomEvent {
    /// Adds the event's name and its facts to a line.
    func write(into fields: inout JSONFields) {
        switch self {
        case .joined(let bot, let roomDescription):
            fields.set("event", "joined")
            fields.set("participant", bot.id.value)
            fields.set("name", bot.name)
            fields.set("roomDescription", roomDescription)
        case .participantJoined(let participant):
            fields.set("event", "participant-joined")
            fields.set("participant", participant.id.value)
            fields.set("name", participant.name)
        case .participantLeft(let id, let reason):
            fields.set("event", "participant-left")
            fields.set("participant", id.value)
            fields.set("reason", reason.rawValue)
        case .participantRenamed(let id, let name):
            fields.set("event", "participant-renamed")
            fields.set("participant", id.value)
            fields.set("name", name)
        case .trackPublished(let id, let kind, let section, let codec):
            fields.set("event", "track-published")
            fields.set("participant", id.value)
            fields.set("kind", kind.rawValue)
            fields.set("publishedAs", section.value)
            fields.set("codec", codec?.rawValue)
        case .trackUnpublished(let id, let section):
            fields.set("event", "track-unpublished")
            fields.set("participant", id.value)
            fields.set("publishedAs", section.value)
        case .trackStarted(let track):
            fields.set("event", "track-started")
            track.write(into: &fields)
            fields.set("section", track.section.value)
        case .trackEnded(let id):
            fields.set("event", "track-ended")
            fields.set("track", id.number)
        case .trackMuted(let id, let section, let isMuted):
            fields.set("event", "track-muted")
            fields.set("participant", id.value)
            fields.set("publishedAs", section.value)
            fields.set("muted", isMuted)
        case .trackRotated(let id, let rotation):
            fields.set("event", "track-rotated")
            fields.set("track", id.number)
            fields.set("degrees", rotation.rawValue)
        case .trackReceiving(let id, let isReceiving):
            fields.set("event", "track-receiving")
            fields.set("track", id.number)
            fields.set("receiving", isReceiving)
        case .speaking(let id, let isSpeaking):
            fields.set("event", "speaking")
            fields.set("participant", id.value)
            fields.set("speaking", isSpeaking)
        case .layerRequested(let id, let spatial):
            fields.set("event", "layer-requested")
            fields.set("track", id.number)
            fields.set("spatial", spatial)
        case .layerForwarded(let id, let spatial, let temporal):
            fields.set("event", "layer-forwarded")
            fields.set("track", id.number)
            fields.set("spatial", spatial)
            fields.set("temporal", temporal)
        case .chat(let message):
            fields.set("event", "chat")
            message.write(into: &fields)
        case .chatJoined(let id, let name):
            fields.set("event", "chat-joined")
            fields.set("from", id)
            fields.set("name", name)
        case .chatLeft(let id):
            fields.set("event", "chat-left")
            fields.set("from", id)
        case .chatDropped(let bytes, let reason):
            fields.set("event", "chat-dropped")
            fields.set("bytes", bytes)
            fields.set("reason", reason)
        case .chatAvailable(let isAvailable, let reason):
            fields.set("event", "chat-available")
            fields.set("available", isAvailable)
            fields.set("reason", reason)
        case .connectionChanged(let state):
            fields.set("event", "connection")
            fields.set("state", state.rawValue)
        case .notice(let text):
            fields.set("event", "notice")
            fields.set("text", text)
        }
    }

    /// Nil for a name that is not of the room's.
    init?(_ json: JSONValue, named name: String) throws(RecordingFormatError) {
        switch name {
        case "joined":
            self = .joined(
                Participant(id: try json.participant(), name: try json.text("name")),
                roomDescription: json["roomDescription"]?.string ?? "")
        case "participant-joined":
            self = .participantJoined(Participant(id: try json.participant(), name: try json.text("name")))
        case "participant-left": self = .participantLeft(try json.participant(), try json.choice("reason"))
        case "participant-renamed": self = .participantRenamed(try json.participant(), name: try json.text("name"))
        case "track-published":
            self = .trackPublished(
                try json.participant(), try json.choice("kind"), publishedAs: try json.section("publishedAs"),
                codec: json["codec"]?.string.flatMap(Codec.init))
        case "track-unpublished":
            self = .trackUnpublished(try json.participant(), publishedAs: try json.section("publishedAs"))
        case "track-started":
            var track = try TrackPublication(json)
            track.section = try json.section("section")
            self = .trackStarted(track)
        case "track-ended": self = .trackEnded(try json.track())
        case "track-muted":
            self = .trackMuted(
                try json.participant(), publishedAs: try json.section("publishedAs"), isMuted: try json.flag("muted"))
        case "track-rotated":
            let degrees: Int = try json.number("degrees")
            guard let rotation = PictureRotation(rawValue: degrees) else { return nil }
            self = .trackRotated(try json.track(), rotation)
        case "track-receiving": self = .trackReceiving(try json.track(), isReceiving: try json.flag("receiving"))
        case "speaking": self = .speaking(try json.participant(), isSpeaking: try json.flag("speaking"))
        case "layer-requested": self = .layerRequested(try json.track(), spatial: try json.number("spatial"))
        case "layer-forwarded":
            self = .layerForwarded(try json.track(), spatial: json["spatial"]?.int, temporal: json["temporal"]?.int)
        case "chat": self = .chat(try ChatMessage(json))
        case "chat-joined": self = .chatJoined(id: try json.text("from"), name: json["name"]?.string ?? "")
        case "chat-left": self = .chatLeft(id: try json.text("from"))
        case "chat-dropped": self = .chatDropped(bytes: try json.number("bytes"), reason: try json.text("reason"))
        case "chat-available": self = .chatAvailable(try json.flag("available"), reason: json["reason"]?.string)
        case "connection": self = .connectionChanged(try json.choice("state"))
        case "notice": self = .notice(try json.text("text"))
        default: return nil
        }
    }
}
