import EventLoop
import MediaTypes
import Reception
import SDP
import Testing

@testable import Transport

/// A peer connection, and a server made of one bundle transport that offers to it.
private actor Call: NoteTaker {
    enum Note: Equatable, Sendable {
        case connected, serverConnected, failed(TransportFailure), closedByPeer, serverClosed
        case frame(mid: String, rtpTime: Int64, payload: [UInt8]), ended(mid: String)
        case channelOpened(String), message(String, [UInt8], isText: Bool), serverMessage([UInt8])
        case candidate(String, mid: String, mLineIndex: Int), candidatesEnd, serverRTCP([UInt8])
    }

    nonisolated let loop: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated let notes: AsyncStream<Note>
    private let note: AsyncStream<Note>.Continuation
    private var peer: PeerConnection?
    private var server: BundleTransport?
    private var serverCertificate: DTLSCertificate?
    private var timer: LoopTimer?
    private var isClosingAtFirstFrame = false

    init(_ loop: LoopExecutor) {
        self.loop = loop
        (notes, note) = AsyncStream.makeStream()
    }

    /// - Returns: the answer's text.
    func start(_ sections: String, configuration: PeerConfiguration = PeerConfiguration()) throws -> String {
        let peer = try PeerConnection(configuration, loop: loop) { [unowned self] event in
            assumeIsolated { $0.take(event) }
        }
        self.peer = peer
        let certificate = try DTLSCertificate()
        serverCertificate = certificate
        var serverSide = BundleTransport.Configuration()
        serverSide.ice.includesLoopback = true
        serverSide.ice.isControlling = true
        serverSide.ice.credentials = ICECredentials(
            usernameFragment: "serv", password: "serverpasswordserverpassword")
        serverSide.role = .server
        serverSide.fingerprints = [try #require(CertificateFingerprint(peerFingerprint))]
        let server = try BundleTransport(serverSide, certificate: certificate, loop: loop, at: HostClock.now()) {
            [unowned self] event in assumeIsolated { $0.takeServer(event) }
        }
        self.server = server
        timer = LoopTimer(on: loop) { [unowned self] in assumeIsolated { $0.wakeServer() } }
        let answer = try apply(sections)
        let media = try #require(answer.media.first { $0.iceCredentials != nil })
        server.setRemote(try #require(media.iceCredentials))
        if sections.contains("webrtc-datachannel") { server.useDataChannels(remotePort: 5000, at: HostClock.now()) }
        rearm()
        return answer.text
    }

    /// The certificate is made by the connection itself: a first answer of nobody's says its fingerprint.
    private var peerFingerprint: Fingerprint { peer?.localFingerprint ?? Fingerprint(hashFunction: "", digest: []) }

    func apply(_ sections: String, ufrag: String = "serv") throws -> SessionDescription {
        let fingerprint = serverCertificate?.fingerprint.description ?? ""
        let mids = sections.split(separator: "\r\n").filter { $0.hasPrefix("a=mid:") }.map { $0.dropFirst(6) }
        let session = [
            "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE " + mids.joined(separator: " "),
            "a=ice-ufrag:\(ufrag)", "a=ice-pwd:serverpasswordserverpassword", "a=fingerprint:\(fingerprint)",
            "a=setup:actpass", "",
        ].joined(separator: "\r\n")
        return try #require(peer).apply(
            offer: SessionDescription(parsing: session + sections), accepting: [.opus, .vp8])
    }

    func send(rtp packet: [UInt8]) { server?.send(rtp: packet) }
    func openChannel(_ label: String) { peer?.openChannel(label: label) }
    func send(_ text: String, _ label: String) -> Bool { peer?.send(text: text, label: label) ?? false }
    func serverSend(_ octets: [UInt8], _ label: String, isText: Bool) {
        guard let server, let channel = server.channel(labelled: label) else { return }
        server.send(octets, on: channel, isText: isText, at: HostClock.now())
        rearm()
    }
    func drain() { peer?.drain() }
    func closePeer() { peer?.close() }
    func closeServer() { server?.close(at: HostClock.now()) }
    func closeAtFirstFrame() { isClosingAtFirstFrame = true }
    var statistics: PeerConnection.Statistics? { peer?.statistics }
    func addRemoteCandidate(_ line: String?) { peer?.addRemoteCandidate(line) }

    func finish() {
        peer?.close()
        server?.close(at: HostClock.now())
        peer = nil
        server = nil
        timer = nil
        note.finish()
    }

    private func take(_ event: PeerConnection.Event) {
        switch event {
        case .localCandidate(let line?, let mid, let index):
            note.yield(.candidate(line, mid: mid.value, mLineIndex: index))
            server?.addRemoteCandidate(line)
        case .localCandidate(nil, _, _): note.yield(.candidatesEnd)
        case .connected: note.yield(.connected)
        case .failed(let failure): note.yield(.failed(failure))
        case .closedByPeer: note.yield(.closedByPeer)
        case .frame(let mid, let frame):
            note.yield(.frame(mid: mid.value, rtpTime: frame.rtpTime, payload: frame.payload))
            if isClosingAtFirstFrame { peer?.close() }
        case .reception(let mid, .ended): note.yield(.ended(mid: mid.value))
        case .reception, .channelClosed: break
        case .channelOpened(let channel): note.yield(.channelOpened(channel.label))
        case .message(let channel, let octets, let isText):
            note.yield(.message(channel.label, octets, isText: isText))
        }
        rearm()
    }

    private func takeServer(_ event: BundleTransport.Event) {
        switch event {
        case .localCandidate(let line): peer?.addRemoteCandidate(line)
        case .connected: note.yield(.serverConnected)
        case .closedByPeer: note.yield(.serverClosed)
        case .rtcp(let packet): note.yield(.serverRTCP(packet))
        case .message(_, let octets, _): note.yield(.serverMessage(octets))
        case .failed, .rtp, .channelOpened, .channelClosed, .rescheduled: break
        }
        rearm()
    }

    private func wakeServer() {
        server?.wake(at: HostClock.now())
        rearm()
    }

    private func rearm() { timer?.set(server?.nextDeadline) }
}

extension SCTPTests {
    @Suite(.timeLimit(.minutes(1))) struct PeerConnectionTests {
        private static let audio = [
            "m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=mid:0", "a=sendonly", "a=rtcp-mux",
            "a=rtpmap:111 opus/48000/2", "a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid", "a=ssrc:7 cname:x", "",
        ].joined(separator: "\r\n")
        private static let removed = audio.replacing("a=sendonly", with: "a=inactive").replacing(
            "a=ssrc:7 cname:x\r\n", with: "")
        private static let data = [
            "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=mid:d", "a=sctp-port:5000", "",
        ].joined(separator: "\r\n")

        private static let silence: [UInt8] = [0xf8, 0xff, 0xfe]

        /// 20 ms of silence in Opus.
        private func opus(_ number: Int, ssrc: UInt8 = 7) -> [UInt8] {
            let time = number * 960
            return [0x80, 111, 0, UInt8(number), 0, 0, UInt8(time >> 8 & 0xff), UInt8(time & 0xff), 0, 0, 0, ssrc]
                + Self.silence
        }

        private func call(_ body: (Call) async throws -> Void) async throws {
            let loop = LoopExecutor(name: "test-loop")
            let call = Call(loop)
            do {
                try await body(call)
            } catch {
                await call.finish()
                loop.stop()
                throw error
            }
            await call.finish()
            loop.stop()
        }

        private func loopbackConfiguration() -> PeerConfiguration {
            var configuration = PeerConfiguration()
            configuration.allowLoopback = true
            return configuration
        }

        @Test func framesComeInOrderAndMessagesBothWays() async throws {
            try await call { call in
                let answer = try await call.start(Self.audio + Self.data, configuration: loopbackConfiguration())
                #expect(answer.contains("a=setup:active"))
                #expect(!answer.contains("a=ssrc"))
                await call.openChannel("chat")
                let begin = await call.wait(for: .connected, .serverConnected, .channelOpened("chat"))
                #expect(begin.contains { if case .candidate(_, "0", 0) = $0 { true } else { false } })
                for number in [0, 1, 3, 2, 4] { await call.send(rtp: opus(number)) }
                let frames = await call.wait(for: .frame(mid: "0", rtpTime: 4 * 960, payload: Self.silence))
                let times = frames.compactMap { note -> Int64? in
                    if case .frame(_, let time, _) = note { time } else { nil }
                }
                #expect(times == [0, 960, 1920, 2880, 3840])
                #expect(await call.send("hello", "chat"))
                #expect(await !call.send("hello", "nobody"))
                _ = await call.wait(for: .serverMessage(Array("hello".utf8)))
                await call.serverSend([0xff, 0xfe], "chat", isText: true)
                _ = await call.wait(for: .message("chat", [0xff, 0xfe], isText: true))
                let statistics = try #require(await call.statistics)
                #expect(statistics.sections[MediaSectionID("0")]?.frames == 5)
                #expect(statistics.transport.srtp == SRTPContext.Counts())
                await call.closePeer()
                let last = await call.wait(for: .serverClosed)
                #expect(!last.contains(.closedByPeer))
            }
        }

        @Test func drainingDeliversWhatWaitsAndSaysBye() async throws {
            try await call { call in
                _ = try await call.start(Self.audio, configuration: loopbackConfiguration())
                _ = await call.wait(for: .connected, .serverConnected)
                for number in [0, 2] { await call.send(rtp: opus(number)) }
                _ = await call.wait(for: .frame(mid: "0", rtpTime: 0, payload: Self.silence))
                while await call.statistics?.sections[MediaSectionID("0")]?.packets != 2 { await Task.yield() }
                await call.drain()
                let seen = await call.wait(for: .frame(mid: "0", rtpTime: 1920, payload: Self.silence))
                #expect(!seen.isEmpty)
                await call.closePeer()
                let last = await call.wait(for: .serverClosed)
                let hasBye = (seen + last).contains {
                    // RFC 3550 section 6.6: packet type 203 somewhere in the compound.
                    if case .serverRTCP(let packet) = $0 { packet.contains(203) } else { false }
                }
                #expect(hasBye)
            }
        }

        @Test func aSectionThatIsTakenAwayEndsAndComesBackWithAnotherSource() async throws {
            try await call { call in
                _ = try await call.start(Self.audio, configuration: loopbackConfiguration())
                _ = await call.wait(for: .connected, .serverConnected)
                await call.send(rtp: opus(0))
                _ = await call.wait(for: .frame(mid: "0", rtpTime: 0, payload: Self.silence))
                _ = try await call.apply(Self.removed)
                _ = await call.wait(for: .ended(mid: "0"))
                let answer = try await call.apply(Self.audio.replacing("ssrc:7", with: "ssrc:8"))
                #expect(answer.origin.sessionVersion == "3")
                await call.send(rtp: opus(5, ssrc: 8))
                _ = await call.wait(for: .frame(mid: "0", rtpTime: 4800, payload: Self.silence))
            }
        }

        @Test func newCredentialsOfThePeerGetNewOnesOfOurs() async throws {
            try await call { call in
                _ = try await call.start(Self.audio, configuration: loopbackConfiguration())
                _ = await call.wait(for: .connected, .serverConnected)
                let same = try await call.apply(Self.audio)
                let other = try await call.apply(Self.audio, ufrag: "again")
                #expect(same.media[0].iceCredentials != other.media[0].iceCredentials)
                #expect(same.media[0].fingerprints == other.media[0].fingerprints)
                _ = await call.wait(for: .candidatesEnd)
            }
        }

        @Test func closingFromWithinAnEventIsSafe() async throws {
            try await call { call in
                await call.closeAtFirstFrame()
                _ = try await call.start(Self.audio, configuration: loopbackConfiguration())
                _ = await call.wait(for: .connected, .serverConnected)
                for number in 0..<10 { await call.send(rtp: opus(number)) }
                let seen = await call.wait(for: .serverClosed)
                #expect(seen.count { if case .frame = $0 { true } else { false } } == 1)
            }
        }

        @Test func theServersGoodbyeIsHeard() async throws {
            try await call { call in
                _ = try await call.start(Self.audio, configuration: loopbackConfiguration())
                _ = await call.wait(for: .connected, .serverConnected)
                await call.closeServer()
                _ = await call.wait(for: .closedByPeer)
                await call.drain()
                await #expect(throws: PeerConnection.OfferFailure.self) { try await call.apply(Self.audio) }
            }
        }

        @Test func anOfferWithNothingForUsIsRefused() async throws {
            try await call { call in
                await #expect(throws: PeerConnection.OfferFailure.self) {
                    try await call.start("m=image 9 udptl t38\r\na=mid:0\r\n")
                }
            }
        }
    }
}
