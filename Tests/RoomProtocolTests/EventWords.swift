import MediaTypes

@testable import RoomProtocol

/// An event in few words, for tables.
func words(_ event: RoomEvent, name: (ParticipantID) -> String = { $0.value }) -> String {
    switch event {
    case .joined(let own, let description): "joined as \(own.name), \(description)"
    case .participantJoined(let participant): "+ \(participant.name)"
    case .participantLeft(let id, let reason): "- \(name(id)) \(reason)"
    case .participantRenamed(let id, let new): "\(name(id)) is \(new)"
    case .trackPublished(let id, let kind, let mid, let codec): "\(name(id)) \(mid) \(kind) \(codec?.rawValue ?? "?")"
    case .trackUnpublished(let id, let mid): "\(name(id)) \(mid) off"
    case .trackStarted(let track):
        "start \(track.id) \(name(track.participant)) \(track.publishedAs) \(track.source.rawValue) on \(track.section)"
    case .trackEnded(let id): "end \(id)"
    case .trackMuted(let id, let mid, let isMuted): "\(name(id)) \(mid) \(isMuted ? "muted" : "unmuted")"
    case .trackReceiving(let id, let isReceiving): "\(id) \(isReceiving ? "received" : "not received")"
    case .speaking(let id, let isSpeaking): "\(name(id)) \(isSpeaking ? "speaks" : "is silent")"
    case .trackRotated(let id, let rotation): "turn \(id) \(rotation.rawValue)"
    case .layerRequested(let id, let spatial): "ask \(id) \(spatial)"
    case .layerForwarded(let id, let spatial, let temporal): "layer \(id) \(spatial ?? -1) \(temporal ?? -1)"
    case .chat(let message):
        "\(message.isHistory ? "history " : "")\(message.kind.rawValue) \(message.sender ?? "-") (\(message.name ?? "-")): "
            + "\(message.text) @\(message.sentAt ?? "-")"
    case .chatJoined(let id, let name): "chat + \(id) (\(name))"
    case .chatLeft(let id): "chat - \(id)"
    case .chatDropped(let bytes, let reason): "dropped \(bytes): \(reason)"
    case .chatAvailable(let isAvailable, let reason):
        "chat \(isAvailable ? "is there" : "is not there: \(reason ?? "-")")"
    case .connectionChanged(let state): "connection \(state)"
    case .notice(let text): "notice: \(text)"
    }
}
