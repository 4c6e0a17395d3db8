import EventLoop
import MediaTypes
import SDP

@testable import Transport

/// Two bundle transports on one loop that speak to each other over real sockets; candidates pass by hand.
actor TransportDuet: NoteTaker {
    enum Side: Sendable { case offerer, answerer }

    /// What happened, in a form that a test may wait for.
    enum Note: Equatable, Sendable {
        case candidate(Side, String)
        case connected(Side), failed(Side, TransportFailure), closedByPeer(Side)
        case rtp(Side, [UInt8]), rtcp(Side, [UInt8])
        case opened(Side, String), message(Side, String, [UInt8], isText: Bool)
    }

    nonisolated let loop: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let notes: AsyncStream<Note>
    private let note: AsyncStream<Note>.Continuation
    private var transports: [Side: BundleTransport] = [:]
    private var timer: LoopTimer?
    /// Whether a candidate line reaches the other side.
    private let passes: @Sendable (String) -> Bool

    init(_ loop: LoopExecutor, passes: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.loop = loop
        self.passes = passes
        (notes, note) = AsyncStream.makeStream()
    }

    func start(
        offerer: ICEConfiguration, answerer: ICEConfiguration, isTrusted: Bool = true, hasDataChannels: Bool = true,
        iceTimeout: Duration = .seconds(15)
    ) throws {
        let certificates = try (DTLSCertificate(), DTLSCertificate(), DTLSCertificate())
        var first = BundleTransport.Configuration()
        first.ice = offerer
        first.ice.isControlling = true
        first.role = .server
        first.fingerprints = [certificates.1.fingerprint]
        first.iceTimeout = iceTimeout
        var second = BundleTransport.Configuration()
        second.ice = answerer
        second.fingerprints = [(isTrusted ? certificates.0 : certificates.2).fingerprint]
        second.iceTimeout = iceTimeout
        let a = try make(.offerer, first, certificates.0)
        let b = try make(.answerer, second, certificates.1)
        a.setRemote(b.localCredentials)
        b.setRemote(a.localCredentials)
        let timer = LoopTimer(on: loop) { [unowned self] in assumeIsolated { $0.wake() } }
        self.timer = timer
        if hasDataChannels {
            a.useDataChannels(remotePort: 5000, at: HostClock.now())
            b.useDataChannels(remotePort: 5000, at: HostClock.now())
        }
        rearm()
    }

    func send(rtp packet: [UInt8], from side: Side) { transports[side]?.send(rtp: packet) }
    func send(raw datagram: [UInt8], from side: Side) { transports[side]?.transmit(datagram) }
    func send(rtcp packet: [UInt8], from side: Side) { transports[side]?.send(rtcp: packet) }

    func open(_ label: String, from side: Side) {
        transports[side]?.open(label: label, at: HostClock.now())
        rearm()
    }

    func send(_ text: String, on label: String, from side: Side) {
        guard let transport = transports[side], let channel = transport.channel(labelled: label) else { return }
        transport.send(Array(text.utf8), on: channel, isText: true, at: HostClock.now())
        rearm()
    }

    func statistics(_ side: Side) -> TransportStatistics? { transports[side]?.statistics }

    func restartICE() {
        guard let a = transports[.offerer], let b = transports[.answerer] else { return }
        a.restartICE(remote: b.localCredentials, at: HostClock.now())
        b.restartICE(remote: a.localCredentials, at: HostClock.now())
        a.setRemote(b.localCredentials)
        rearm()
    }

    func credentials(_ side: Side) -> ICECredentials? { transports[side]?.localCredentials }

    func close(_ side: Side) {
        transports[side]?.close(at: HostClock.now())
        rearm()
    }

    func finish() {
        for transport in transports.values { transport.close(at: HostClock.now()) }
        transports = [:]
        timer = nil
        note.finish()
    }

    private func make(
        _ side: Side, _ configuration: BundleTransport.Configuration, _ certificate: DTLSCertificate
    ) throws -> BundleTransport {
        let transport = try BundleTransport(
            configuration, certificate: certificate, loop: loop, at: HostClock.now(),
            event: { [unowned self] event in
                assumeIsolated { $0.take(event, at: side) }
            })
        transports[side] = transport
        return transport
    }

    private func take(_ event: BundleTransport.Event, at side: Side) {
        let other = transports[side == .offerer ? .answerer : .offerer]
        switch event {
        case .localCandidate(let line?):
            note.yield(.candidate(side, line))
            if passes(line) { other?.addRemoteCandidate(line) }
        case .localCandidate(nil): other?.endRemoteCandidates()
        case .connected: note.yield(.connected(side))
        case .failed(let failure): note.yield(.failed(side, failure))
        case .closedByPeer: note.yield(.closedByPeer(side))
        case .rtp(let packet): note.yield(.rtp(side, packet))
        case .rtcp(let packet): note.yield(.rtcp(side, packet))
        case .channelOpened(let channel): note.yield(.opened(side, channel.label))
        case .channelClosed, .rescheduled: break
        case .message(let channel, let octets, let isText):
            note.yield(.message(side, channel.label, octets, isText: isText))
        }
        rearm()
    }

    private func wake() {
        for transport in transports.values { transport.wake(at: HostClock.now()) }
        rearm()
    }

    private func rearm() { timer?.set(transports.values.compactMap(\.nextDeadline).min()) }
}
