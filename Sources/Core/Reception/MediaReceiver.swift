package import MediaTypes
package import RTP

/// Everything that one transport receives: decrypted packets in, dated frames of every media section out, and the RTCP
/// that goes back.
///
/// After each call, outputs are to be taken until there are none, and `wake` is to be called at `nextDeadline`.
package struct MediaReceiver: Sendable {
    package enum Output: Sendable {
        case frame(MediaSectionID, ReceivedFrame)
        /// One compound RTCP packet in the clear, to be protected and sent.
        case send([UInt8])
        case event(MediaSectionID, ReceptionEvent)
    }

    let senderSSRC: SSRC
    let cname: String
    private let patience: Duration
    private let reportedDelay: ReportedDelay?
    private var isConnected = false
    var tracks: [TrackReceiver] = []
    /// Which track a source belongs to.
    private var routes: [SSRC: Int] = [:]
    /// Sources that were replaced. Their late packets must not bring them back.
    private var retired: Set<SSRC> = []
    var transportFeedback = TransportFeedbackGenerator()
    /// The source that feedback about the whole transport names.
    var feedbackTrack: Int?
    var outputs = OutputQueue<Output>()
    /// Packets of sections that are perhaps about to be negotiated; they count as unroutable until they are.
    private var earlyPackets: [(bytes: [UInt8], arrival: MonotonicTime)] = []
    private static let earlyPatience = Duration.seconds(2)
    private static let mostEarlyPackets = 512

    /// Packets of no known media section.
    package private(set) var unroutablePackets = 0
    /// Datagrams that are no RTP or RTCP packets, or not whole ones.
    package private(set) var malformedPackets = 0

    /// - Parameters:
    ///   - senderSSRC: the source of the RTCP packets; one that nobody else has.
    ///   - cname: the canonical name in them (RFC 7022).
    ///   - patience: how long a missing packet is waited for, from when the gap was noticed.
    ///   - reportedDelay: makes senders keep what they have sent for longer; nil for reports as the standard has them.
    package init(
        senderSSRC: SSRC, cname: String, patience: Duration = .seconds(2), reportedDelay: ReportedDelay? = nil
    ) {
        self.senderSSRC = senderSSRC
        self.cname = cname
        self.patience = patience
        self.reportedDelay = reportedDelay
    }

    /// States what is received from now on; again at each renegotiation. A section whose sources are still the ones it had
    /// goes on undisturbed. One with other sources, or that is gone, is delivered to its end and `ended`.
    package mutating func configure(_ sections: [Section], at now: MonotonicTime) {
        var kept: [TrackReceiver] = []
        var indices: Set<Int> = []
        for section in sections {
            if let index = tracks.firstIndex(where: { $0.section.mid == section.mid }),
                tracks[index].goesOn(as: section)
            {
                tracks[index].update(section)
                kept.append(tracks[index])
                indices.insert(index)
            } else {
                var fresh = TrackReceiver(section: section, patience: patience, reportedDelay: reportedDelay)
                if isConnected { fresh.introduce(at: now) }
                kept.append(fresh)
            }
        }
        for index in tracks.indices where !indices.contains(index) { end(index) }
        tracks = kept
        feedbackTrack = nil
        route()
        let early = earlyPackets
        earlyPackets = []
        unroutablePackets -= early.count
        for packet in early { handleRTP(packet.bytes, at: packet.arrival) }
        // The first reports go out before the server is told to send.
        wake(at: now)
    }

    /// The transport is there: what is sent from now on arrives.
    package mutating func connected(at now: MonotonicTime) {
        isConnected = true
        for index in tracks.indices { tracks[index].introduce(at: now) }
        wake(at: now)
    }

    package mutating func handleRTP(_ bytes: [UInt8], at now: MonotonicTime) {
        let packet: RTPPacket
        do throws(RTPPacket.ParseError) {
            packet = try RTPPacket(parsing: bytes)
        } catch {
            malformedPackets += 1
            return
        }
        guard let index = routes[packet.ssrc] ?? learn(packet) else {
            keepEarly(packet, at: now)
            return
        }
        if tracks[index].section.transportFeedback, let id = tracks[index].section.transportSequenceExtension,
            let number = packet.transportSequenceNumber(extension: id)
        {
            transportFeedback.packetArrived(number, at: now)
            feedbackTrack = index
        }
        let before = tracks[index].ssrc
        tracks[index].handle(packet, at: now, into: &outputs)
        if let before, tracks[index].ssrc != before {
            routes[before] = nil
            retire(before)
        }
        if let deadline = tracks[index].nextDeadline, deadline <= now { wakeTrack(index, at: now) }
        sendTransportFeedback(at: now)
    }

    /// A server sends in a new section before it has our answer, and what comes first is the keyframe: it waits for
    /// `configure`. When there is no room, the first packets are the ones worth keeping.
    private mutating func keepEarly(_ packet: RTPPacket, at now: MonotonicTime) {
        unroutablePackets += 1
        guard !retired.contains(packet.ssrc) else { return }
        if let oldest = earlyPackets.first, now - oldest.arrival > Self.earlyPatience { earlyPackets.removeAll() }
        guard earlyPackets.count < Self.mostEarlyPackets else { return }
        earlyPackets.append((packet.bytes, now))
    }

    package mutating func handleRTCP(_ bytes: [UInt8], at now: MonotonicTime) {
        let compound = RTCPCompound(parsing: bytes)
        if compound.error != nil { malformedPackets += 1 }
        for packet in compound.packets {
            switch packet {
            case .senderReport(let report):
                guard let index = routes[report.ssrc] else { continue }
                guard tracks[index].feedbackSource == report.ssrc else { continue }
                let others = tracks.indices.filter { $0 != index }.map { tracks[$0].remote }
                tracks[index].handle(report, others: others, at: now)
            case .goodbye(let goodbye):
                for source in goodbye.sources {
                    guard let index = routes[source], tracks[index].ssrc == source else { continue }
                    tracks[index].flush(into: &outputs)
                    outputs.append(.event(tracks[index].section.mid, .goodbye))
                }
            default:
                continue
            }
        }
    }

    package mutating func wake(at now: MonotonicTime) {
        for index in tracks.indices {
            if let deadline = tracks[index].nextDeadline, deadline <= now { wakeTrack(index, at: now) }
        }
        sendTransportFeedback(at: now)
    }

    package mutating func nextOutput() -> Output? { outputs.next() }

    package var nextDeadline: MonotonicTime? {
        var deadline = transportFeedback.nextDeadline
        // By index: a loop over the elements would copy each.
        for index in tracks.indices { deadline = earliest(deadline, tracks[index].nextDeadline) }
        return deadline
    }

    /// The end: everything that can still be delivered is, and the senders are told goodbye (RFC 3550 section 6.3.7).
    package mutating func flush(at now: MonotonicTime) {
        for index in tracks.indices { tracks[index].flush(into: &outputs) }
        sendGoodbye(at: now)
    }

    /// The track of one section has ended, as somebody knows before the next `configure`: all of it is delivered, without
    /// waiting for what is missing. When another one goes on there by the same source, `sourceChanged` says so.
    package mutating func end(_ mid: MediaSectionID) {
        guard let index = tracks.firstIndex(where: { $0.section.mid == mid }) else { return }
        tracks[index].end(into: &outputs)
    }

    /// Another track goes on in a section whose last one was said to `end`.
    package mutating func replaceTrack(_ mid: MediaSectionID) {
        guard let index = tracks.firstIndex(where: { $0.section.mid == mid }) else { return }
        tracks[index].replace()
    }

    /// Whether something of a section is missing that may still come.
    package func isWaiting(in mid: MediaSectionID) -> Bool {
        tracks.first { $0.section.mid == mid }?.isWaiting ?? false
    }

    /// The media sections that are received, or were when it ended.
    package var mids: [MediaSectionID] { tracks.map(\.section.mid) }

    package func statistics(for mid: MediaSectionID) -> ReceptionStatistics? {
        tracks.first { $0.section.mid == mid }?.statistics
    }

    /// Asks for a keyframe as soon as the last request is long enough ago.
    package mutating func requestKeyframe(_ mid: MediaSectionID, at now: MonotonicTime) {
        guard let index = tracks.firstIndex(where: { $0.section.mid == mid }) else { return }
        tracks[index].requestKeyframe(at: now)
        wakeTrack(index, at: now)
    }

    private mutating func wakeTrack(_ index: Int, at now: MonotonicTime) {
        tracks[index].wake(at: now, into: &outputs)
        sendFeedback(of: index, at: now)
    }

    private mutating func end(_ index: Int) {
        tracks[index].flush(into: &outputs)
        outputs.append(.event(tracks[index].section.mid, .ended))
        for (source, route) in routes where route == index { retire(source) }
    }
}

// Which track a packet belongs to (RFC 8843 section 9.2).
extension MediaReceiver {
    private mutating func route() {
        routes.removeAll(keepingCapacity: true)
        for (index, track) in tracks.enumerated() {
            for source in track.section.ssrcs + track.section.rtxSSRCs + [track.ssrc].compactMap({ $0 }) {
                routes[source] = index
                retired.remove(source)
            }
        }
    }

    /// Finds the track of a source that was not announced: by the mid in the packet, else by a payload type that only
    /// one section has.
    private mutating func learn(_ packet: RTPPacket) -> Int? {
        if retired.contains(packet.ssrc) { return nil }
        guard let index = track(named: packet) ?? onlyTrack(with: packet.payloadType) else { return nil }
        // Bounded, whatever the sender does.
        if routes.count > 4096 { route() }
        routes[packet.ssrc] = index
        return index
    }

    private func track(named packet: RTPPacket) -> Int? {
        tracks.firstIndex { track in
            guard let id = track.section.midExtension, let mid = packet.text(extension: id) else { return false }
            return mid == track.section.mid.value && track.knows(packet.payloadType)
        }
    }

    private func onlyTrack(with type: PayloadType) -> Int? {
        let candidates = tracks.indices.filter { tracks[$0].knows(type) }
        return candidates.count == 1 ? candidates.first : nil
    }

    private mutating func retire(_ source: SSRC) {
        if retired.count >= 4096 { retired.removeAll() }
        retired.insert(source)
    }
}

extension TrackReceiver {
    fileprivate func knows(_ type: PayloadType) -> Bool {
        section.payloadTypes[type] != nil || section.rtx[type] != nil
    }

    /// Whether a section as renegotiated is still this track.
    fileprivate func goesOn(as renewed: MediaReceiver.Section) -> Bool {
        guard renewed.kind == section.kind else { return false }
        if renewed.ssrcs.isEmpty || renewed.ssrcs == section.ssrcs { return true }
        return ssrc.map(renewed.ssrcs.contains) ?? false
    }
}
