import JSON
import MediaTypes
import SDP

/// The chat: a peer connection of its own, and JSON over its data channel.
extension JanusRoomSession {
    mutating func textAttached(handle: UInt64?, at now: MonotonicTime) {
        guard case .attaching = textRoom.state else { return }
        guard let handle else { return closeText("the server gave no handle") }
        textRoom.state = .settingUp(handle: handle)
        message(["request": "setup"], to: handle, for: .textSetup, at: now)
    }

    mutating func receiveTextSetup(_ data: JSONValue, offer sdp: String?, at now: MonotonicTime) {
        if let error = JanusError(in: data) { return closeText("the server says: \(error.reason) (\(error.code))") }
        guard let sdp, case .settingUp(let handle) = textRoom.state else { return }
        guard let offer = try? SessionDescription(parsing: sdp) else {
            return closeText("the server's offer cannot be read")
        }
        textRoom.state = .answering(handle: handle)
        textRoom.deadline = now + configuration.requestTimeout + configuration.requestTimeout
        emit(.applyOffer(.text, offer))
    }

    mutating func sendTextAnswer(_ sdp: String, at now: MonotonicTime) {
        guard case .answering(let handle) = textRoom.state else { return }
        textRoom.state = .connecting(handle: handle)
        message(["request": "ack"], to: handle, for: .textAnswer, answer: sdp, at: now)
    }

    mutating func textPeerConnected(at now: MonotonicTime) {
        guard case .connecting(let handle) = textRoom.state else { return }
        textRoom.state = .opening(handle: handle)
        emit(.openChannel(.text, label: JanusTextRoom.channelLabel))
    }

    mutating func textChannelOpened(_ label: String, at now: MonotonicTime) {
        guard case .opening(let handle) = textRoom.state, label == JanusTextRoom.channelLabel else { return }
        textRoom.state = .joining(handle: handle, hasEntered: false)
        let room: JanusRoomID = if case .room(let room) = configuration.textRoom { room } else { configuration.room }
        var join: JSONValue = [
            "textroom": "join", "transaction": .string(JanusTextRoom.joinTransaction), "room": room.json,
            "username": .string(textRoom.username), "display": .string(configuration.displayName),
        ]
        if let pin = configuration.textPin { join["pin"] = .string(pin) }
        emit(.sendMessage(.text, label: JanusTextRoom.channelLabel, text: join.compact))
    }

    /// The chat is not there, or no longer.
    mutating func closeText(_ reason: String) {
        guard textRoom.state != .closed else { return }
        if textRoom.hasPeer { emit(.closePeer(.text)) }
        textRoom.state = .closed
        textRoom.deadline = nil
        // Once is enough, however often it is tried again.
        if textRoom.losses == 0 { emit(.chatAvailable(false, reason: reason)) }
    }

    /// The chat cannot be reached for now.
    mutating func loseText(_ reason: String, at now: MonotonicTime) {
        guard textRoom.state != .closed else { return }
        closeText(reason)
        textRoom.lose(at: now)
    }

    mutating func attachText(at now: MonotonicTime) { attach("textroom", for: .attachText, at: now) }

    /// A message on the chat's channel.
    mutating func receiveText(_ payload: [UInt8], at now: MonotonicTime) {
        switch textRoom.state {
        case .joining, .joined: break
        case .idle, .attaching, .settingUp, .answering, .connecting, .opening, .closed: return
        }
        guard let text = acceptedText(payload) else { return }
        guard let json = try? JSONValue(parsing: text), let kind = json["textroom"]?.string else {
            return emit(.chatDropped(bytes: payload.count, reason: "it is no message of a text room"))
        }
        switch kind {
        case "message": said(json)
        case "announcement": announced(json)
        case "join":
            if let id = json["username"]?.string { chatJoined(id, json["display"]?.string) }
        case "leave":
            if let id = json["username"]?.string { chatLeft(id) }
        case "kicked":
            guard let id = json["username"]?.string else { return }
            if id == textRoom.username { closeText("the bot was removed from the chat") } else { chatLeft(id) }
        case "destroyed": closeText("the chat was closed by its owner")
        case "success": textJoined(json)
        case "error": textRefused(json)
        default: emit(.notice("the chat sent an unknown event, '\(kind.prefix(40))'"))
        }
    }

    private mutating func textJoined(_ json: JSONValue) {
        guard case .joining(let handle, _) = textRoom.state,
            json["transaction"]?.string == JanusTextRoom.joinTransaction
        else { return }
        textRoom.joined(handle: handle)
        emit(.chatAvailable(true, reason: nil))
        let participants = json["participants"]?.array ?? []
        let present = Set(participants.compactMap { $0["username"]?.string })
        // Who went while the bot was away.
        for id in textRoom.names.keys.sorted() where !present.contains(id) { chatLeft(id) }
        for participant in participants {
            if let id = participant["username"]?.string { chatJoined(id, participant["display"]?.string) }
        }
    }

    private mutating func textRefused(_ json: JSONValue) {
        let error = JanusError(in: json) ?? JanusError(code: 0, reason: "unknown error")
        if case .joining = textRoom.state {
            closeText("\(error.reason) (\(error.code))")
        } else {
            emit(.notice("the chat says: \(error.reason) (\(error.code))"))
        }
    }

    private mutating func chatJoined(_ id: String, _ name: String?) {
        if id == textRoom.username {
            if case .joining(let handle, _) = textRoom.state {
                textRoom.state = .joining(handle: handle, hasEntered: true)
            }
            return
        }
        let name = name ?? id
        guard textRoom.names.updateValue(name, forKey: id) == nil else { return }
        emit(.chatJoined(id: id, name: name))
    }

    private mutating func chatLeft(_ id: String) {
        if textRoom.names.removeValue(forKey: id) != nil { emit(.chatLeft(id: id)) }
    }

    private mutating func said(_ json: JSONValue) {
        guard let text = json["text"]?.string else { return }
        let sender = json["from"]?.string
        let isHistory = if case .joining(_, hasEntered: false) = textRoom.state { true } else { false }
        emit(
            .chat(
                ChatMessage(
                    kind: json["whisper"]?.bool == true ? .privateMessage : .message, sender: sender,
                    name: json["display"]?.string ?? sender.flatMap { textRoom.names[$0] }, text: text,
                    sentAt: json["date"]?.string, isHistory: isHistory)))
    }

    private mutating func announced(_ json: JSONValue) {
        guard let text = json["text"]?.string else { return }
        emit(.chat(ChatMessage(kind: .announcement, sender: nil, name: nil, text: text, sentAt: json["date"]?.string)))
    }

    /// A message on a participant's data channel. Janus labels the channel with the sender's id.
    mutating func receiveData(_ label: String, _ payload: [UInt8], isText: Bool) {
        guard !payload.isEmpty else { return }
        guard isText else { return emit(.chatDropped(bytes: payload.count, reason: "it is no text")) }
        guard let text = acceptedText(payload) else { return }
        emit(.chat(ChatMessage(kind: .data, sender: label, name: roster[ParticipantID(label)]?.name, text: text)))
    }

    private mutating func acceptedText(_ payload: [UInt8]) -> String? {
        guard payload.count <= JanusTextRoom.maximumMessageSize else {
            emit(.chatDropped(bytes: payload.count, reason: "it is too large"))
            return nil
        }
        guard let text = String(validating: payload, as: UTF8.self) else {
            emit(.chatDropped(bytes: payload.count, reason: "it is not valid UTF-8"))
            return nil
        }
        return text
    }
}
