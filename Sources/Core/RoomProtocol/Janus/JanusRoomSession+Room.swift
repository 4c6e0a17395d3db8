import JSON
import MediaTypes

/// What the room says: who comes and goes, and what they publish.
extension JanusRoomSession {
    mutating func receiveRoomEvent(_ data: JSONValue, answerTo purpose: JanusRequests.Purpose?, at now: MonotonicTime) {
        if let error = JanusError(in: data) {
            if purpose == .join { return joinRefused(error, at: now) }
            return emit(.notice("the room says: \(error.reason) (\(error.code))"))
        }
        switch data["videoroom"]?.string {
        case "joined": joined(data, at: now)
        case "destroyed": finish(.roomDestroyed, at: now)
        case "talking": talking(data, true)
        case "stopped-talking": talking(data, false)
        case "event": roomChanged(data, at: now)
        case "slow_link": emit(.notice("the room finds the link slow"))
        case let other?: emit(.notice("the room sent an unknown event, '\(other.prefix(40))'"))
        case nil: break
        }
        if case .joined = state { requestSubscriptions(at: now) }
    }

    private mutating func joined(_ data: JSONValue, at now: MonotonicTime) {
        guard case .joining(let session, let handle) = state else { return }
        guard let own = data["id"]?.janusID else { return end(.notJanus("the room gave the bot no id")) }
        state = .joined(session: session, handle: handle)
        roster.own = ParticipantID(own)
        privateID = data["private_id"].flatMap { $0.isNull ? nil : $0 }
        emit(
            .joined(
                Participant(id: ParticipantID(own), name: configuration.displayName),
                roomDescription: data["description"]?.string ?? ""))
        for attendee in data["attendees"]?.array ?? [] { somebodyIsHere(attendee) }
        for publisher in data["publishers"]?.array ?? [] { published(publisher, at: now) }
        if configuration.textRoom != .none {
            textRoom.state = .attaching
            attachText(at: now)
        }
    }

    private mutating func roomChanged(_ data: JSONValue, at now: MonotonicTime) {
        if let joining = data["joining"] { somebodyIsHere(joining) }
        for attendee in data["attendees"]?.array ?? [] { somebodyIsHere(attendee) }
        for publisher in data["publishers"]?.array ?? [] { published(publisher, at: now) }
        if let id = roster.somebody(data["unpublished"]) { unpublished(id, at: now) }
        if let leaving = data["leaving"] {
            if leaving.string == "ok" || leaving.janusID == roster.own?.value {
                return finish(
                    data["reason"]?.string == "kicked" ? .kicked : .serverVanished("the room has let the bot go"),
                    at: now)
            }
            if let id = roster.somebody(leaving) { left(id, .quit, at: now) }
        }
        if let kicked = data["kicked"] {
            if kicked.janusID == roster.own?.value { return finish(.kicked, at: now) }
            if let id = roster.somebody(kicked) { left(id, .kicked, at: now) }
        }
        if let id = roster.somebody(data["id"]), roster[id] != nil {
            if let name = data["display"]?.string { named(id, name) }
            if let mid = data["mid"]?.string, let moderation = data["moderation"]?.string {
                emit(.trackMuted(id, publishedAs: MediaSectionID(mid), isMuted: moderation == "muted"))
            }
        }
    }

    /// Somebody is in the room, whether they publish or not.
    @discardableResult
    private mutating func somebodyIsHere(_ somebody: JSONValue) -> ParticipantID? {
        guard let json = somebody["id"], let id = roster.somebody(json) else { return nil }
        let name = somebody["display"]?.string
        if roster[id] == nil {
            roster[id] = JanusRoster.Entry(id: json, name: name ?? "")
            emit(.participantJoined(Participant(id: id, name: name ?? "")))
        } else if let name {
            named(id, name)
        }
        return id
    }

    private mutating func named(_ id: ParticipantID, _ name: String) {
        guard let old = roster[id]?.name, old != name else { return }
        roster[id]?.name = name
        emit(.participantRenamed(id, name: name))
    }

    /// The list of a publisher's streams: all of them, at every change. What is new is subscribed to.
    private mutating func published(_ publisher: JSONValue, at now: MonotonicTime) {
        guard let id = somebodyIsHere(publisher), let before = roster[id]?.streams else { return }
        let streams = JanusRoster.streams(of: publisher)
        for (mid, old) in before where !streams.contains(where: { $0.mid == mid && $0.stream.content == old.content }) {
            let stream = FeedStream(feed: id, mid: mid)
            streamEnded(stream, old)
            subscription.unsubscribe(from: stream)
        }
        roster[id]?.streams = streams
        if !streams.isEmpty { roster[id]?.unpublishedAt = nil }
        for (mid, stream) in streams
        where !before.contains(where: { $0.mid == mid && $0.stream.content == stream.content }) {
            streamBegan(FeedStream(feed: id, mid: mid), stream)
        }
        let audio = streams.filter { $0.stream.kind == .audio }
        let talking = (publisher["streams"]?.array ?? []).filter { $0["talking"]?.bool == true }
            .compactMap { $0["mid"]?.string.map(MediaSectionID.init) }
        // What is true of the publisher as a whole is not always said of a stream.
        for mid in talking.isEmpty && publisher["talking"]?.bool == true ? audio.prefix(1).map(\.mid) : talking {
            speech(id, mid, true)
        }
    }

    private mutating func streamBegan(_ stream: FeedStream, _ published: JanusRoster.Stream) {
        guard let kind = published.kind else {
            if configuration.takesData { subscription.subscribe(to: stream) }
            return
        }
        emit(.trackPublished(stream.feed, kind, publishedAs: stream.mid, codec: published.codec))
        if let codec = published.codec, configuration.acceptedCodecs.contains(codec) {
            subscription.subscribe(to: stream)
        } else if case .media(_, let codec) = published.content {
            let name = roster[stream.feed]?.name ?? ""
            let codec = codec.isEmpty ? "an unknown codec" : String(codec.prefix(40))
            emit(.notice("\(kind.rawValue) of \(name) (\(stream.feed)) is not recorded: it is in \(codec)"))
        }
    }

    private mutating func streamEnded(_ stream: FeedStream, _ published: JanusRoster.Stream) {
        speech(stream.feed, stream.mid, false)
        endTracks { $0.stream == stream }
        if published.kind != nil { emit(.trackUnpublished(stream.feed, publishedAs: stream.mid)) }
    }

    /// All streams of a publisher are gone; the server has taken them out of the subscription itself. Often said twice.
    private mutating func unpublished(_ id: ParticipantID, at now: MonotonicTime) {
        guard let streams = roster[id]?.streams else { return }
        for (mid, published) in streams {
            let stream = FeedStream(feed: id, mid: mid)
            streamEnded(stream, published)
            subscription.forget(stream)
        }
        roster[id]?.streams = []
        if !streams.isEmpty { roster[id]?.unpublishedAt = now }
    }

    /// Who leaves by request is simply gone; of who lost the connection the server first takes back what they published.
    private mutating func left(_ id: ParticipantID, _ reason: DepartureReason, at now: MonotonicTime) {
        guard let entry = roster[id] else { return }
        let wasCut = entry.unpublishedAt.map { now - $0 < .seconds(1) } ?? false
        unpublished(id, at: now)
        roster[id] = nil
        emit(.participantLeft(id, reason == .quit && wasCut ? .dropped : reason))
    }

    private mutating func talking(_ data: JSONValue, _ isTalking: Bool) {
        guard let id = roster.somebody(data["id"]) else { return }
        speech(id, MediaSectionID(data["mid"]?.string ?? ""), isTalking)
    }

    /// Somebody speaks as long as there is speech on one of their tracks.
    private mutating func speech(_ id: ParticipantID, _ mid: MediaSectionID, _ isSpeech: Bool) {
        guard let before = roster[id]?.talking else { return }
        if isSpeech { roster[id]?.talking.insert(mid) } else { roster[id]?.talking.remove(mid) }
        guard let after = roster[id]?.talking, before.isEmpty != after.isEmpty else { return }
        emit(.speaking(id, isSpeaking: !after.isEmpty))
    }
}
