import JSON
import MediaTypes

/// The way into the room, and what the server itself says.
extension JanusRoomSession {
    mutating func receive(_ text: String, at now: MonotonicTime) {
        guard let message = JanusMessage(parsing: text) else {
            if case .creating = state { return end(.notJanus("what answers does not speak the Janus protocol")) }
            return emit(.notice("the server sent something that is no message of Janus"))
        }
        switch message.kind {
        case .ack: acknowledged(message.transaction)
        case .success: succeeded(message, at: now)
        case .error: failed(message, at: now)
        case .event: receiveEvent(message, at: now)
        case .media: receiveMediaState(message)
        case .trickle: receiveCandidate(message)
        case .hangup: peerHungUp(message, reason: message.json["reason"]?.string ?? "no reason given", at: now)
        case .detached: peerHungUp(message, reason: "the server has closed the handle", at: now)
        case .timeout: end(.serverVanished("the server ended the session: it had heard nothing from us for too long"))
        case .slowlink:
            let lost = message.json["lost"]?.int.map { ", \($0) packets lost" } ?? ""
            emit(.notice("the server finds the link slow\(lost)"))
        case .webrtcup, .keepalive: break
        case nil: emit(.notice("the server sent an unknown message, '\(message.kindName.prefix(40))'"))
        }
    }

    /// Most requests are answered again later; of some this is all that comes.
    private mutating func acknowledged(_ transaction: String?) {
        switch requests.purpose(of: transaction) {
        case .keepalive, .trickle: _ = requests.finish(transaction)
        default: break
        }
    }

    private mutating func succeeded(_ message: JanusMessage, at now: MonotonicTime) {
        let id = message.json["data"]?["id"]?.unsigned
        switch (requests.finish(message.transaction), state) {
        case (.create, .creating):
            guard let id else { return end(.notJanus("the server gave no session")) }
            state = .attaching(session: id)
            attach("videoroom", for: .attachRoom, at: now)
        case (.attachRoom, .attaching(let session)):
            guard let id else { return end(.notJanus("the server gave no handle")) }
            state = .joining(session: session, handle: id)
            join(handle: id, at: now)
        case (.attachSubscriber, .joined):
            guard let id else { return end(.notJanus("the server gave no handle")) }
            subscription.state = .unjoined(handle: id)
            requestSubscriptions(at: now)
        case (.attachText, .joined): textAttached(handle: id, at: now)
        case (.destroy, .leaving): end(.left)
        default: break
        }
    }

    private mutating func failed(_ message: JanusMessage, at now: MonotonicTime) {
        guard let error = message.coreError else { return }
        if case .leaving = state {
            if requests.finish(message.transaction) == .destroy { end(.left) }
            return
        }
        switch requests.finish(message.transaction) {
        case .attachText where error.code == JanusRefusal.CoreCode.noSuchPlugin:
            closeText("the server has no text rooms")
        case let purpose? where purpose.isAboutText: closeText("the server says: \(error.reason) (\(error.code))")
        case .create, .attachRoom, .join, .keepalive, .attachSubscriber: end(JanusRefusal.end(error))
        case _ where error.code == JanusRefusal.CoreCode.noSuchSession: end(JanusRefusal.end(error))
        case .subscribe, .update: subscriptionRefused(error, at: now)
        case .start, .pause, .configure, .trickle, .leave, .destroy, nil:
            emit(.notice("the server says: \(error.reason) (\(error.code))"))
        // The cases about text are above.
        case .attachText, .textSetup, .textAnswer: break
        }
    }

    /// An event of a plugin, for whichever handle it comes from.
    private mutating func receiveEvent(_ message: JanusMessage, at now: MonotonicTime) {
        guard let sender = message.sender, let data = message.pluginData else { return }
        let purpose = requests.finish(message.transaction)
        if case .leaving = state { return }
        if sender == state.handle {
            receiveRoomEvent(data, answerTo: purpose, at: now)
        } else if sender == subscription.state.handle {
            receiveSubscriberEvent(data, offer: message.offer, answerTo: purpose, at: now)
        } else if sender == textRoom.handle {
            receiveTextSetup(data, offer: message.offer, at: now)
        }
    }

    private mutating func join(handle: UInt64, at now: MonotonicTime) {
        var body: JSONValue = [
            "request": "join", "ptype": "publisher", "room": configuration.room.json,
            "display": .string(configuration.displayName),
        ]
        if let id = configuration.participantID {
            body["id"] = JanusRoomID(id.value).json
            if case .string = configuration.room { body["id"] = .string(id.value) }
        }
        addAccess(to: &body)
        message(body, to: handle, for: .join, at: now)
    }

    /// What opens the room's door.
    func addAccess(to body: inout JSONValue) {
        if let pin = configuration.pin { body["pin"] = .string(pin) }
        if let token = configuration.roomToken { body["token"] = .string(token) }
    }

    /// The answer to the join is an error.
    mutating func joinRefused(_ error: JanusError, at now: MonotonicTime) {
        // A server with string ids takes no number, and digits in an address may be a name: so try them as one.
        if error.code == JanusRefusal.RoomCode.invalidElement, case .number(let number) = configuration.room,
            case .joining(_, let handle) = state
        {
            configuration.room = .string(String(number))
            return join(handle: handle, at: now)
        }
        finish(JanusRefusal.end(error, joining: configuration), at: now)
    }

    /// A peer connection was closed by the server.
    private mutating func peerHungUp(_ message: JanusMessage, reason: String, at now: MonotonicTime) {
        if case .leaving = state { return }
        guard let sender = message.sender else { return }
        if sender == state.handle, message.kind == .detached {
            end(.serverVanished("the server has closed the room's handle"))
        } else if sender == subscription.state.handle {
            let text = "the server closed the media connection: \(reason.prefix(200))"
            finish(reason.hasPrefix("DTLS") ? .dtlsFailed(text) : .iceFailed(text), at: now)
        } else if sender == textRoom.handle {
            loseText("the server closed the chat's connection: \(reason.prefix(200))", at: now)
        }
    }

    private mutating func receiveCandidate(_ message: JanusMessage) {
        guard let sender = message.sender, let line = message.json["candidate"]?["candidate"]?.string, !line.isEmpty
        else {
            return
        }
        let mid = message.json["candidate"]?["sdpMid"]?.string
        if sender == subscription.state.handle {
            emit(.addCandidate(.media, line: line, mid: mid))
        } else if sender == textRoom.handle {
            emit(.addCandidate(.text, line: line, mid: mid))
        }
    }

    mutating func sendAnswer(_ peer: Peer, _ sdp: String, at now: MonotonicTime) {
        guard case .joined = state else { return }
        switch peer {
        case .media:
            guard case .answering(let handle) = subscription.state else { return }
            // When the offer came by itself and crossed a request of ours, the answer to that is still to come.
            subscription.state =
                subscription.underWay.isEmpty ? .settled(handle: handle) : .requesting(handle: handle, isJoined: true)
            message(["request": "start"], to: handle, for: .start, answer: sdp, at: now)
            // An answer starts the media by itself.
            if !subscription.isConnected { message(["request": "pause"], to: handle, for: .pause, at: now) }
            requestSubscriptions(at: now)
        case .text: sendTextAnswer(sdp, at: now)
        }
    }

    mutating func sendCandidate(
        _ peer: Peer, _ mid: String, _ mLineIndex: Int, _ candidate: String?, at now: MonotonicTime
    ) {
        guard case .joined = state, let handle = peer == .media ? subscription.state.handle : textRoom.handle else {
            return
        }
        let json: JSONValue =
            candidate.map {
                ["candidate": .string($0), "sdpMid": .string(mid), "sdpMLineIndex": JSONValue(mLineIndex)]
            }
            ?? ["completed": true]
        request("trickle", for: .trickle(isText: peer == .text), handle: handle, with: ["candidate": json], at: now)
    }
}
