package import EventLoop
package import MediaTypes
import RTP
package import SDP

/// The one transport that all media sections of a session share (BUNDLE, RFC 9143; RTP and RTCP in one, RFC 5761): ICE
/// finds the way, DTLS shakes hands on it, SRTP decrypts the media, SCTP carries the data channels. Wires the four, and
/// does what each says.
///
/// Used on its loop's thread only. Events come on that thread, perhaps from within a call; whoever gets one may call
/// anything here, `close` too.
package final class BundleTransport {
    package enum Event {
        /// A `candidate:` line for the peer; nil when there are no more.
        case localCandidate(String?)
        /// Media and messages flow.
        case connected
        /// It is over. Nothing more comes.
        case failed(TransportFailure)
        /// The peer said goodbye (DTLS close_notify). Nothing more comes.
        case closedByPeer
        /// A packet in the clear, authenticated.
        case rtp([UInt8])
        case rtcp([UInt8])
        case channelOpened(DataChannel)
        case channelClosed(DataChannel)
        case message(DataChannel, [UInt8], isText: Bool)
        /// Nothing but that `nextDeadline` may be another one, after something came from the network.
        case rescheduled
    }

    /// What is known of the peer from its session description, and how long to wait for it.
    package struct Configuration: Sendable {
        package var ice = ICEConfiguration()
        package var role = DTLSSession.Role.client
        package var fingerprints: [CertificateFingerprint] = []
        package var iceTimeout = Duration.seconds(15)
        package var dtlsTimeout = Duration.seconds(10)

        package init() {}
    }

    private enum State {
        /// Made; the next wake begins to look for candidates. Next: connecting.
        case new(since: MonotonicTime)
        /// ICE looks for a way. Next: securing or failed; connected, when a peer's handshake overtakes the news of ICE.
        case connecting(until: MonotonicTime)
        /// DTLS shakes hands. Next: connected or failed.
        case securing(until: MonotonicTime)
        /// Keys are there. Next: over.
        case connected(SRTPContext)
        /// Failed, closed by the peer, or by us.
        case over
    }

    /// What ICE's callbacks know of us: nothing, once we are gone.
    private final class Inlet {
        unowned(unsafe) var transport: BundleTransport?
    }

    /// How many media packets are kept that come before the end of the handshake: the peer may be done first.
    private static let maximumHeld = 256

    private let configuration: Configuration
    private let event: (Event) -> Void
    private let dtls: DTLSSession
    private let ice: ICEAgent
    private let inlet: Inlet
    private var state: State
    private var held: [[UInt8]] = []
    private var sctpPort: UInt16?
    private var sctp: SCTPAssociation?
    /// Channels asked for before there was an association.
    private var wantedLabels: [String] = []
    /// After a restart of ICE our candidates are to be said again, but not from within the call that restarts.
    private var repeatsCandidatesAt: MonotonicTime?
    private var counts = TransportStatistics()

    package init(
        _ configuration: Configuration, certificate: DTLSCertificate, loop: LoopExecutor, at now: MonotonicTime,
        event: @escaping (Event) -> Void
    ) throws(TransportFailure) {
        self.configuration = configuration
        self.event = event
        state = .new(since: now)
        do {
            dtls = try DTLSSession(
                role: configuration.role, certificate: certificate, fingerprints: configuration.fingerprints)
        } catch {
            throw .dtls(error)
        }
        let inlet = Inlet()
        ice = ICEAgent(
            configuration.ice, loop: loop, event: { inlet.transport?.handle($0) },
            datagram: { inlet.transport?.handle($0) })
        self.inlet = inlet
        inlet.transport = self
    }

    deinit {
        inlet.transport = nil
        ice.close()
    }

    /// Ours, for the session description.
    package var localCredentials: ICECredentials { ice.localCredentials }

    package var isConnected: Bool { if case .connected = state { true } else { false } }

    /// When `wake` wants to be called.
    package var nextDeadline: MonotonicTime? {
        switch state {
        case .new(let since): since
        case .connecting(let until), .securing(let until):
            earliest(until, earliest(dtls.nextDeadline, repeatsCandidatesAt))
        case .connected: earliest(sctp?.nextDeadline, repeatsCandidatesAt)
        case .over: nil
        }
    }

    package var statistics: TransportStatistics {
        var statistics = counts
        if case .connected(let srtp) = state { statistics.srtp = srtp.failures }
        statistics.malformedDatagrams += dtls.malformedDatagrams
        statistics.skippedCandidates = ice.skippedCandidates
        statistics.receiveBuffer = ice.receiveBuffer
        if let sctp { statistics.dataChannels = sctp.counts }
        return statistics
    }

    // MARK: - What the session says

    package func setRemote(_ credentials: ICECredentials) { ice.setRemote(credentials) }
    package func addRemoteCandidate(_ line: String) { ice.addRemoteCandidate(line) }
    package func endRemoteCandidates() { ice.endRemoteCandidates() }

    /// Begins ICE anew with other credentials of the peer's; DTLS and all keys stay. Media goes on flowing on the old way until a
    /// new one is found. `localCredentials` are others afterwards; our candidates are said again at the next wake.
    package func restartICE(remote credentials: ICECredentials, at now: MonotonicTime) {
        if case .over = state { return }
        ice.restart()
        ice.setRemote(credentials)
        repeatsCandidatesAt = now
    }

    /// The session has a data channel section: the association is made when there are keys.
    package func useDataChannels(remotePort: UInt16, at now: MonotonicTime) {
        guard sctpPort == nil else { return }
        sctpPort = remotePort
        startSCTP(at: now)
        pump(at: now)
    }

    // MARK: - Sending

    /// Protects and sends a compound RTCP packet; dropped unless connected.
    package func send(rtcp packet: [UInt8]) {
        guard case .connected(let srtp) = state, let protected = try? srtp.protectRTCP(packet) else { return }
        transmit(protected)
    }

    /// Protects and sends an RTP packet. Only tests send media.
    func send(rtp packet: [UInt8]) {
        guard case .connected(let srtp) = state, let protected = try? srtp.protectRTP(packet) else { return }
        transmit(protected)
    }

    /// Asks for a data channel, ordered and reliable; `channelOpened` says that it is there. May be called before the
    /// connection is up, and does nothing in a session without data channels.
    package func open(label: String, at now: MonotonicTime) {
        guard let sctp else { return wantedLabels.append(label) }
        _ = sctp.open(label: label)
        pump(at: now)
    }

    package func channel(labelled label: String) -> DataChannel? { sctp?.channel(labelled: label) }

    package func send(_ message: [UInt8], on channel: DataChannel, isText: Bool, at now: MonotonicTime) {
        sctp?.send(message, on: channel, isText: isText)
        pump(at: now)
    }

    /// Says goodbye in every layer and closes the sockets. No event comes any more.
    package func close(at now: MonotonicTime) {
        if case .over = state { return }
        sctp?.close()
        while let output = sctp?.nextOutput() {
            if case .packet(let packet) = output { dtls.send(packet, at: now) }
        }
        dtls.close()
        while let output = dtls.nextOutput() {
            if case .datagram(let datagram) = output { transmit(datagram) }
        }
        end()
    }

    // MARK: - Time and datagrams

    package func wake(at now: MonotonicTime) {
        switch state {
        case .new:
            state = .connecting(until: now + configuration.iceTimeout)
            ice.gather()
        case .connecting(let until) where until <= now: return fail(.noPath(after: configuration.iceTimeout))
        case .securing(let until) where until <= now: return fail(.handshakeTimeout(after: configuration.dtlsTimeout))
        case .connecting, .securing, .connected: break
        case .over: return
        }
        if repeatsCandidatesAt != nil {
            repeatsCandidatesAt = nil
            ice.repeatCandidates()
        }
        if let deadline = dtls.nextDeadline, deadline <= now { dtls.wake(at: now) }
        if let sctp, let deadline = sctp.nextDeadline, deadline <= now { sctp.wake(at: now) }
        pump(at: now)
    }

    private func handle(_ news: ICEAgent.Event) {
        let now = HostClock.now()
        switch news {
        case .localCandidate(let line): event(.localCandidate(line))
        case .localCandidatesEnd: event(.localCandidate(nil))
        case .connected:
            guard case .connecting = state else { return }
            state = .securing(until: now + configuration.dtlsTimeout)
            if case .client = configuration.role { dtls.start(at: now) }
            pump(at: now)
            event(.rescheduled)
        case .failed:
            switch state {
            // Candidates may still come, and the peer may find us: the deadline decides.
            case .new, .connecting, .over: break
            case .securing, .connected: fail(.pathLost)
            }
        }
    }

    private func handle(_ datagram: UnsafeMutableRawBufferPointer) {
        counts.datagramsReceived += 1
        counts.octetsReceived += datagram.count
        guard datagram.count >= 2 else { return counts.malformedDatagrams += 1 }
        switch PacketDemultiplexer.kind(firstByte: datagram[0], secondByte: datagram[1]) {
        case .rtp: handleMedia(datagram, isRTCP: false)
        case .rtcp: handleMedia(datagram, isRTCP: true)
        case .dtls:
            let now = HostClock.now()
            dtls.handle(Array(datagram), at: now)
            pump(at: now)
            event(.rescheduled)
        case .stun, .turnChannel, .unknown: counts.malformedDatagrams += 1
        }
    }

    /// Decrypts in libnice's own buffer; the copy is made of the clear packet, once.
    private func handleMedia(_ packet: UnsafeMutableRawBufferPointer, isRTCP: Bool) {
        switch state {
        case .connected(let srtp):
            // What cannot be decrypted has been counted by the context.
            if isRTCP {
                if let length = try? srtp.unprotectRTCP(packet) { event(.rtcp(Array(packet[..<length]))) }
            } else {
                if let length = try? srtp.unprotectRTP(packet) { event(.rtp(Array(packet[..<length]))) }
            }
        case .new, .connecting, .securing:
            guard held.count < Self.maximumHeld else { return counts.earlyPackets += 1 }
            held.append(Array(packet))
        case .over: break
        }
    }

    // MARK: - Between the layers

    /// Carries what DTLS and SCTP have to say to each other and out, until both are silent.
    private func pump(at now: MonotonicTime) {
        var isBusy = true
        while isBusy {
            isBusy = false
            while let output = dtls.nextOutput() {
                isBusy = true
                perform(output, at: now)
            }
            while let output = sctp?.nextOutput() {
                isBusy = true
                perform(output, at: now)
            }
        }
    }

    private func perform(_ output: DTLSSession.Output, at now: MonotonicTime) {
        if case .over = state { return }
        switch output {
        case .datagram(let datagram): transmit(datagram)
        case .connected(let keys): connect(keys, at: now)
        case .applicationData(let packet): sctp?.handle(packet, at: now)
        case .closed:
            end()
            event(.closedByPeer)
        case .failed(let error): fail(.dtls(error))
        }
    }

    private func perform(_ output: SCTPAssociation.Output, at now: MonotonicTime) {
        if case .over = state { return }
        switch output {
        case .packet(let packet): dtls.send(packet, at: now)
        case .channelOpened(let channel): event(.channelOpened(channel))
        case .message(let channel, let message, let isText): event(.message(channel, message, isText: isText))
        case .channelClosed(let channel): event(.channelClosed(channel))
        case .closed: break  // its channels have been closed one by one; media goes on
        }
    }

    private func connect(_ keys: SRTPKeyingMaterial, at now: MonotonicTime) {
        do {
            state = .connected(try SRTPContext(keys))
        } catch {
            return fail(.srtp(error))
        }
        event(.connected)
        startSCTP(at: now)
        let early = held
        held = []
        for var packet in early {
            let isRTCP = PacketDemultiplexer.kind(of: packet) == .rtcp
            packet.withUnsafeMutableBytes { handleMedia($0, isRTCP: isRTCP) }
        }
    }

    private func startSCTP(at now: MonotonicTime) {
        guard case .connected = state, let sctpPort, sctp == nil else { return }
        let association = SCTPAssociation(isDTLSClient: configuration.role == .client, remotePort: sctpPort, at: now)
        sctp = association
        for label in wantedLabels { _ = association.open(label: label) }
        wantedLabels = []
    }

    /// Sends a datagram as it is.
    func transmit(_ datagram: [UInt8]) {
        guard ice.send(datagram) else { return }
        counts.datagramsSent += 1
        counts.octetsSent += datagram.count
    }

    private func fail(_ failure: TransportFailure) {
        if case .over = state { return }
        // A fatal alert, if DTLS has one to send.
        while let output = dtls.nextOutput() {
            if case .datagram(let datagram) = output { transmit(datagram) }
        }
        end()
        event(.failed(failure))
    }

    private func end() {
        if case .connected(let srtp) = state { counts.srtp = srtp.failures }
        state = .over
        held = []
        sctp?.close()
        ice.close()
    }
}
