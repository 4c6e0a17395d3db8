import JSON
import MediaTypes
import SDP

/// Taking the media: requests for what is wanted, and the tracks that the server's offers bring.
extension JanusRoomSession {
    /// Asks for what is wanted and not asked for yet, if it can be asked for now.
    mutating func requestSubscriptions(at now: MonotonicTime) {
        guard !subscription.pending.isEmpty else { return }
        switch subscription.state {
        case .idle:
            subscription.state = .attaching
            attach("videoroom", for: .attachSubscriber, at: now)
        case .unjoined(let handle):
            let streams = subscriptions(in: subscription.beginRequest(), of: true)
            guard !streams.isEmpty else {
                subscription.requestSucceeded()
                return requestSubscriptions(at: now)
            }
            var body: JSONValue = [
                "request": "join", "ptype": "subscriber", "room": configuration.room.json, "use_msid": true,
                "streams": .array(streams),
            ]
            if let privateID { body["private_id"] = privateID }
            addAccess(to: &body)
            subscription.state = .requesting(handle: handle, isJoined: false)
            message(body, to: handle, for: .subscribe, at: now)
        case .settled(let handle):
            let changes = subscription.beginRequest()
            let wanted = subscriptions(in: changes, of: true)
            let unwanted = subscriptions(in: changes, of: false)
            guard !wanted.isEmpty || !unwanted.isEmpty else {
                subscription.requestSucceeded()
                return requestSubscriptions(at: now)
            }
            // An empty list is an error to Janus.
            var body: JSONValue = ["request": "update"]
            if !wanted.isEmpty { body["subscribe"] = .array(wanted) }
            if !unwanted.isEmpty { body["unsubscribe"] = .array(unwanted) }
            subscription.state = .requesting(handle: handle, isJoined: true)
            message(body, to: handle, for: .update, at: now)
        case .attaching, .requesting, .answering: break
        }
    }

    private func subscriptions(in changes: [JanusSubscription.Change], of isWanted: Bool) -> [JSONValue] {
        changes.compactMap { change in
            if case .subscribe = change, !isWanted { return nil }
            if case .unsubscribe = change, isWanted { return nil }
            guard let id = roster[change.stream.feed]?.id else { return nil }
            return ["feed": id, "mid": .string(change.stream.mid.value)]
        }
    }

    mutating func receiveSubscriberEvent(
        _ data: JSONValue, offer: String?, answerTo purpose: JanusRequests.Purpose?, at now: MonotonicTime
    ) {
        let isAnswer = purpose == .subscribe || purpose == .update
        if let error = JanusError(in: data) {
            if isAnswer { return subscriptionRefused(error, at: now) }
            return emit(.notice("the room says about the subscription: \(error.reason) (\(error.code))"))
        }
        if isAnswer { subscription.requestSucceeded() }
        if let offer {
            receiveOffer(offer, data["streams"]?.array ?? [], at: now)
        } else if isAnswer, case .requesting(let handle, _) = subscription.state {
            // Nothing had to be negotiated, or ("updating") it will be, in an offer that comes by itself.
            subscription.state = .settled(handle: handle)
        }
        layerChanged(data)
        requestSubscriptions(at: now)
    }

    mutating func subscriptionRefused(_ error: JanusError, at now: MonotonicTime) {
        if case .requesting(let handle, let isJoined) = subscription.state {
            subscription.state = isJoined ? .settled(handle: handle) : .unjoined(handle: handle)
        }
        for stream in subscription.requestFailed() {
            let name = roster[stream.feed]?.name ?? ""
            emit(
                .notice(
                    "no subscription to \(name) (\(stream.feed)), stream \(stream.mid): \(error.reason) (\(error.code))"
                ))
        }
        requestSubscriptions(at: now)
    }

    private mutating func receiveOffer(_ sdp: String, _ streams: [JSONValue], at now: MonotonicTime) {
        guard let handle = subscription.state.handle else { return }
        let offer: SessionDescription
        do {
            offer = try SessionDescription(parsing: sdp)
        } catch {
            return finish(.notJanus("the server's offer cannot be read: \(error)"), at: now)
        }
        subscription.state = .answering(handle: handle)
        updateTracks(offer, streams)
        emit(.applyOffer(.media, offer))
    }

    mutating func mediaConnected(at now: MonotonicTime) {
        subscription.isConnected = true
        if let handle = subscription.state.handle { message(["request": "start"], to: handle, for: .start, at: now) }
        // Janus passes on no data before its peer has opened a channel, whatever that is for.
        if configuration.takesData { emit(.openChannel(.media, label: JanusTextRoom.channelLabel)) }
    }

    /// Ends the tracks that the offer carries no more, and starts those that it brings. The server recycles media
    /// sections: another feed or another SSRC on the same one is another track.
    private mutating func updateTracks(_ offer: SessionDescription, _ streams: [JSONValue]) {
        var carried: [(section: MediaSectionID, stream: FeedStream, ssrc: UInt32?)] = []
        for json in streams {
            guard let mid = json["mid"]?.string.map(MediaSectionID.init), json["active"]?.bool != false,
                let feed = roster.somebody(json["feed_id"]), let feedMid = json["feed_mid"]?.string,
                let section = offer.section(mid), section.direction.sends, section.isEnabled
            else { continue }
            let stream = FeedStream(feed: feed, mid: MediaSectionID(feedMid))
            // What was unpublished meanwhile will be gone in the next offer.
            guard let codec = roster.stream(stream)?.codec, configuration.acceptedCodecs.contains(codec) else {
                continue
            }
            carried.append((mid, stream, section.mediaSources.first?.ssrc))
        }
        endTracks { track in
            !carried.contains { $0.stream == track.stream && $0.ssrc == track.ssrc }
        }
        for (section, stream, ssrc) in carried where subscription.tracks[section] == nil {
            guard let published = roster.stream(stream), let codec = published.codec else { continue }
            let id = subscription.nextTrackID()
            subscription.tracks[section] = JanusSubscription.Track(id: id, stream: stream, ssrc: ssrc)
            emit(
                .trackStarted(
                    TrackPublication(
                        id: id, participant: stream.feed, kind: codec.kind, source: roster.source(of: stream),
                        codec: codec,
                        description: published.description, publishedAs: stream.mid, section: section)))
        }
    }

    mutating func endTracks(where isOver: (JanusSubscription.Track) -> Bool) {
        for (section, track) in subscription.tracks.sorted(by: { $0.value.id < $1.value.id }) where isOver(track) {
            subscription.tracks[section] = nil
            emit(.trackEnded(track.id))
        }
    }

    /// Which layer of a simulcast track the server sends now; said in parts.
    private mutating func layerChanged(_ data: JSONValue) {
        guard let mid = data["mid"]?.string.map(MediaSectionID.init), var track = subscription.tracks[mid] else {
            return
        }
        let spatial = data["substream"]?.int ?? data["spatial_layer"]?.int
        let temporal = data["temporal"]?.int ?? data["temporal_layer"]?.int
        guard spatial != nil || temporal != nil else { return }
        track.spatialLayer = spatial ?? track.spatialLayer
        track.temporalLayer = temporal ?? track.temporalLayer
        subscription.tracks[mid] = track
        emit(.layerForwarded(track.id, spatial: track.spatialLayer, temporal: track.temporalLayer))
    }

    mutating func receiveMediaState(_ message: JanusMessage) {
        guard message.sender == subscription.state.handle, let mid = message.json["mid"]?.string,
            let track = subscription.tracks[MediaSectionID(mid)], let isReceiving = message.json["receiving"]?.bool
        else { return }
        emit(.trackReceiving(track.id, isReceiving: isReceiving))
    }
}
