package import EventLoop
package import MediaTypes
import RTP
package import Reception
package import SDP

/// One WebRTC connection of a recorder: it answers offers, receives, and never sends media (RFC 8825, RFC 9429). Wires the
/// transport to the receiver, and both to one timer.
///
/// Used on its loop's thread only. Events come on that thread, perhaps from within a call; whoever gets one may call
/// anything here, `close` too. Packets are handled to the end in the callback that brings them.
package final class PeerConnection {
    package enum Event: Sendable {
        /// For the peer, by trickle: a `candidate:` line, or nil for the end of them.
        case localCandidate(String?, mid: MediaSectionID, mLineIndex: Int)
        /// Media and messages flow.
        case connected
        /// It is over; nothing more comes.
        case failed(TransportFailure)
        /// The peer ended it; nothing more comes.
        case closedByPeer
        case frame(MediaSectionID, ReceivedFrame)
        case reception(MediaSectionID, ReceptionEvent)
        case channelOpened(DataChannel)
        case channelClosed(DataChannel)
        case message(DataChannel, [UInt8], isText: Bool)
    }

    package struct Statistics: Sendable {
        package var transport: TransportStatistics
        package var sections: [MediaSectionID: ReceptionStatistics]
        /// Packets of no known media section.
        package var unroutablePackets: Int
        /// Authentic, but no RTP or RTCP.
        package var malformedPackets: Int
    }

    /// Why an offer could not be applied.
    package enum OfferFailure: Error, CustomStringConvertible {
        case offer(OfferError)
        case transport(TransportFailure)
        /// The connection is over.
        case over

        package var description: String {
            switch self {
            case .offer(let error): error.description
            case .transport(let failure): failure.description
            case .over: "the connection is closed"
            }
        }
    }

    private struct Session {
        let transport: BundleTransport
        var remote: RemoteTransport
        /// The number of the `m=` line that `remote` was described in.
        var mLineIndex: Int
        var mids: [MediaSectionID] = []
        var version: UInt64 = 1
    }

    private enum State {
        /// No offer yet. Next: open or over.
        case new
        /// Answered, and on the way to be connected, or connected. Next: over.
        case open(Session)
        case over(TransportStatistics)
    }

    private static let maximumEarlyCandidates = 64

    private let configuration: PeerConfiguration
    private let loop: LoopExecutor
    /// Nil once closed: nothing is said any more.
    private var event: ((Event) -> Void)?
    private let certificate: DTLSCertificate
    private let sessionID = UInt64.random(in: 1..<(1 << 62))
    private var state = State.new
    private var receiver: MediaReceiver
    /// When media, reports or messages came.
    package private(set) var hearing = Hearing()
    private var timer: LoopTimer?
    /// Candidates that came before the offer; nil stands for the end of them.
    private var earlyCandidates: [String?] = []

    package init(
        _ configuration: PeerConfiguration, loop: LoopExecutor, event: @escaping (Event) -> Void
    ) throws(TransportFailure) {
        self.configuration = configuration
        self.loop = loop
        self.event = event
        do {
            certificate = try DTLSCertificate()
        } catch {
            throw .dtls(error)
        }
        receiver = MediaReceiver(
            senderSSRC: SSRC(.random(in: 1...UInt32.max)), cname: configuration.cname ?? randomToken(length: 16),
            patience: configuration.patience, reportedDelay: configuration.reportedDelay.map(ReportedDelay.init))
        timer = LoopTimer(on: loop) { [unowned self] in wake() }
    }

    deinit { close() }

    /// What our answers will say about the certificate.
    var localFingerprint: Fingerprint { certificate.fingerprint.attribute }

    // MARK: - Signalling

    /// Takes an offer, the first or a later one, and gives the answer to it. ICE and DTLS stay what they are, unless the
    /// peer has new ICE credentials. Candidates of ours come as events, after this has returned.
    package func apply(
        offer: SessionDescription, accepting codecs: Set<Codec>
    ) throws(OfferFailure) -> SessionDescription {
        switch state {
        case .new: return try begin(offer, codecs)
        case .open(let session): return try renegotiate(session, offer, codecs)
        case .over: throw .over
        }
    }

    /// A trickled candidate of the peer's (RFC 8838); nil or an empty line when it has no more.
    package func addRemoteCandidate(_ line: String?) {
        switch state {
        case .new: if earlyCandidates.count < Self.maximumEarlyCandidates { earlyCandidates.append(line) }
        case .open(let session): pass(line, to: session.transport)
        case .over: break
        }
    }

    /// Asks the sender of a section for a keyframe, as soon as the last request is long enough ago.
    package func requestKeyframe(_ mid: MediaSectionID) {
        receiver.requestKeyframe(mid, at: HostClock.now())
        takeOutputs()
    }

    // MARK: - Messages

    /// Asks for a data channel; may be called at once after the answer.
    package func openChannel(label: String) {
        guard case .open(let session) = state else { return }
        session.transport.open(label: label, at: HostClock.now())
        rearm()
    }

    /// Sends a text on the open channel of that label.
    /// - Returns: whether there is one.
    @discardableResult
    package func send(text: String, label: String) -> Bool {
        guard case .open(let session) = state, let channel = session.transport.channel(labelled: label) else {
            return false
        }
        session.transport.send(Array(text.utf8), on: channel, isText: true, at: HostClock.now())
        rearm()
        return true
    }

    package var statistics: Statistics {
        var sections: [MediaSectionID: ReceptionStatistics] = [:]
        let transport: TransportStatistics
        switch state {
        case .new: transport = TransportStatistics()
        case .open(let session):
            for mid in session.mids { sections[mid] = receiver.statistics(for: mid) }
            transport = session.transport.statistics
        case .over(let last):
            for mid in receiver.mids { sections[mid] = receiver.statistics(for: mid) }
            transport = last
        }
        return Statistics(
            transport: transport, sections: sections, unroutablePackets: receiver.unroutablePackets,
            malformedPackets: receiver.malformedPackets)
    }

    // MARK: - The end

    /// Delivers all frames that can still be delivered, without waiting for what is missing, and says BYE to the senders.
    package func drain() {
        receiver.flush(at: HostClock.now())
        takeOutputs()
    }

    /// The track of a section has ended: delivers all frames of it that can still be delivered.
    package func endTrack(_ mid: MediaSectionID) {
        receiver.end(mid)
        takeOutputs()
    }

    /// Whether something of a section is missing that may still come.
    package func isWaiting(in mid: MediaSectionID) -> Bool { receiver.isWaiting(in: mid) }

    /// Another track goes on in a section whose last one has ended.
    package func replaceTrack(_ mid: MediaSectionID) { receiver.replaceTrack(mid) }

    /// Says goodbye and closes the sockets. No event comes any more. What waits in the jitter buffers is lost: `drain` first.
    package func close() {
        if case .open(let session) = state {
            session.transport.close(at: HostClock.now())
            finish(session.transport)
        } else if case .new = state {
            state = .over(TransportStatistics())
        }
        event = nil
        timer = nil
    }

    // MARK: - Offers

    private func begin(_ offer: SessionDescription, _ codecs: Set<Codec>) throws(OfferFailure) -> SessionDescription {
        let ours = ICECredentials(usernameFragment: randomToken(length: 8), password: randomToken(length: 24))
        let negotiated = try answer(offer, codecs, ours, version: 1)
        let transport: BundleTransport
        do {
            transport = try BundleTransport(
                configuration.transport(to: negotiated.remote, credentials: ours), certificate: certificate,
                loop: loop, at: HostClock.now(), event: { [unowned self] in take($0) })
        } catch {
            throw .transport(error)
        }
        transport.setRemote(negotiated.remote.iceCredentials)
        open(Session(transport: transport, remote: negotiated.remote, mLineIndex: 0), negotiated)
        for line in negotiated.remote.candidates { transport.addRemoteCandidate(line) }
        if negotiated.remote.hasAllCandidates { transport.endRemoteCandidates() }
        for line in earlyCandidates { pass(line, to: transport) }
        earlyCandidates = []
        return negotiated.answer
    }

    private func renegotiate(
        _ session: Session, _ offer: SessionDescription, _ codecs: Set<Codec>
    ) throws(OfferFailure) -> SessionDescription {
        var session = session
        session.version += 1
        var negotiated = try answer(offer, codecs, session.transport.localCredentials, version: session.version)
        let known = session.remote
        if negotiated.remote.iceCredentials != known.iceCredentials {
            session.transport.restartICE(remote: negotiated.remote.iceCredentials, at: HostClock.now())
            negotiated = try answer(offer, codecs, session.transport.localCredentials, version: session.version)
            for line in negotiated.remote.candidates { session.transport.addRemoteCandidate(line) }
            if negotiated.remote.hasAllCandidates { session.transport.endRemoteCandidates() }
        } else {
            for line in negotiated.remote.candidates where !known.candidates.contains(line) {
                session.transport.addRemoteCandidate(line)
            }
        }
        open(session, negotiated)
        return negotiated.answer
    }

    private func answer(
        _ offer: SessionDescription, _ codecs: Set<Codec>, _ credentials: ICECredentials, version: UInt64
    ) throws(OfferFailure) -> NegotiatedSession {
        let parameters = AnswerParameters(
            acceptedCodecs: codecs, iceCredentials: credentials, fingerprint: certificate.fingerprint.attribute,
            sessionID: sessionID, sessionVersion: version,
            maximumMessageSize: UInt64(SCTPAssociation.maximumMessage),
            requestsAudioUnoffered: configuration.requestsAudioUnoffered)
        do {
            return try OfferAnswer.answer(offer, with: parameters)
        } catch {
            throw .offer(error)
        }
    }

    private func open(_ session: Session, _ negotiated: NegotiatedSession) {
        let now = HostClock.now()
        var session = session
        session.remote = negotiated.remote
        session.mLineIndex = negotiated.sections.first { $0.mid == negotiated.remote.mid }?.index ?? 0
        let sections = negotiated.sections.compactMap(MediaReceiver.Section.init)
        session.mids = sections.map(\.mid)
        state = .open(session)
        receiver.configure(sections, at: now)
        for section in negotiated.sections {
            guard case .dataChannels(let port, _) = section.content else { continue }
            session.transport.useDataChannels(remotePort: port, at: now)
        }
        takeOutputs()
    }

    private func pass(_ line: String?, to transport: BundleTransport) {
        if let line, !line.isEmpty {
            transport.addRemoteCandidate(line)
        } else {
            transport.endRemoteCandidates()
        }
    }

    // MARK: - What comes

    private func take(_ news: BundleTransport.Event) {
        guard case .open(let session) = state else { return }
        switch news {
        case .rtp(let packet):
            let now = HostClock.now()
            hearing.hear(at: now)
            receiver.handleRTP(packet, at: now)
            takeOutputs()
        case .rtcp(let packet):
            let now = HostClock.now()
            hearing.hear(at: now)
            receiver.handleRTCP(packet, at: now)
            takeOutputs()
        case .localCandidate(let line):
            event?(.localCandidate(line, mid: session.remote.mid, mLineIndex: session.mLineIndex))
        case .connected:
            receiver.connected(at: HostClock.now())
            takeOutputs()
            event?(.connected)
        case .failed(let failure):
            finish(session.transport)
            event?(.failed(failure))
        case .closedByPeer:
            finish(session.transport)
            event?(.closedByPeer)
        case .channelOpened(let channel): event?(.channelOpened(channel))
        case .channelClosed(let channel): event?(.channelClosed(channel))
        case .message(let channel, let octets, let isText):
            hearing.hear(at: HostClock.now())
            event?(.message(channel, octets, isText: isText))
        case .rescheduled: break  // below
        }
        rearm()
    }

    /// Frames that were received before the end are still delivered after it, by `drain`.
    private func finish(_ transport: BundleTransport) { state = .over(transport.statistics) }

    private func wake() {
        let now = HostClock.now()
        if let deadline = receiver.nextDeadline, deadline <= now { receiver.wake(at: now) }
        if case .open(let session) = state, let deadline = session.transport.nextDeadline, deadline <= now {
            session.transport.wake(at: now)
        }
        takeOutputs()
    }

    private func takeOutputs() {
        while let output = receiver.nextOutput() {
            switch output {
            case .frame(let mid, let frame): event?(.frame(mid, frame))
            case .event(let mid, let news): event?(.reception(mid, news))
            case .send(let packet): if case .open(let session) = state { session.transport.send(rtcp: packet) }
            }
        }
        rearm()
    }

    private func rearm() {
        if case .open(let session) = state {
            timer?.set(earliest(session.transport.nextDeadline, receiver.nextDeadline))
        } else {
            timer?.set(nil)
        }
    }
}
