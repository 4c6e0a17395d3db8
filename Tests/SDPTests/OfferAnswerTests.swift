import CallbotTesting
import MediaTypes
import Testing

@testable import SDP

func answerParameters(accepting codecs: Set<Codec> = [.opus, .vp8]) -> AnswerParameters {
    AnswerParameters(
        acceptedCodecs: codecs, iceCredentials: ICECredentials(usernameFragment: "frag", password: "password"),
        fingerprint: Fingerprint(hashFunction: "sha-256", digest: [0xAB, 0x01]), sessionID: 42, sessionVersion: 3)
}

@Suite struct OfferAnswerTests {
    func offer(_ name: String) throws -> SessionDescription {
        try SessionDescription(parsing: Fixture.text("sdp/\(name).sdp"))
    }

    @Test func answerToJanusIsExact() throws {
        let offer = try offer("janus-offer-one-publisher")
        let transport = [
            "a=ice-ufrag:frag", "a=ice-pwd:password", "a=ice-options:trickle", "a=fingerprint:sha-256 AB:01",
            "a=setup:active",
        ]
        let expected =
            [
                "v=0", "o=- 42 3 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0 1 2",
                "m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=mid:0", "a=recvonly",
            ] + transport + [
                "a=rtcp-mux", "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level",
                "a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid", "a=rtpmap:111 opus/48000/2",
                "a=fmtp:111 useinbandfec=1;stereo=1",
                "m=video 9 UDP/TLS/RTP/SAVPF 96 97", "c=IN IP4 0.0.0.0", "a=mid:1", "a=recvonly",
            ] + transport + [
                "a=rtcp-mux",
                "a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01",
                "a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid", "a=extmap:13 urn:3gpp:video-orientation",
                "a=rtpmap:96 VP8/90000", "a=rtcp-fb:96 nack", "a=rtcp-fb:96 nack pli", "a=rtcp-fb:96 transport-cc",
                "a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=96",
                "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=mid:2",
            ] + transport + ["a=sctp-port:5000", "a=max-message-size:262144"]
        let answer = try OfferAnswer.answer(offer, with: answerParameters()).answer.text
        #expect(answer.split(separator: "\r\n").map(String.init) == expected)
    }

    @Test func lostAudioIsAskedForWhereTheServerIsKnownToAnswer() throws {
        var parameters = answerParameters()
        parameters.requestsAudioUnoffered = true
        let session = try OfferAnswer.answer(try offer("janus-offer-one-publisher"), with: parameters)
        #expect(session.sections[0].media?.payloads.first?.feedback == [.nack])
        #expect(session.answer.text.contains("a=rtcp-fb:111 nack\r\n"))
    }

    @Test func whatWasNegotiatedIsTyped() throws {
        let offer = try offer("janus-offer-one-publisher")
        let session = try OfferAnswer.answer(offer, with: answerParameters())
        #expect(session.remote.mid == MediaSectionID("0") && session.remote.fingerprints == offer.fingerprints)
        #expect(session.remote.iceCredentials == offer.media[0].iceCredentials && !session.remote.isICELite)
        #expect(session.remote.candidates == offer.media[0].candidates && session.remote.hasAllCandidates)
        let audio = try #require(session.sections[0].media)
        #expect(audio.kind == .audio && audio.direction == .recvonly && audio.extensions == [.audioLevel: 1, .mid: 4])
        // Feedback by transport-wide numbers needs the numbers, which audio does not have here.
        #expect(
            audio.payloads == [
                NegotiatedPayload(payloadType: 111, codec: .opus, clockRate: 48000, channels: 2, feedback: [])
            ])
        let video = try #require(session.sections[1].media)
        #expect(video.extensions == [.transportWideCC: 3, .mid: 4, .videoOrientation: 13])
        #expect(
            video.payloads == [
                NegotiatedPayload(
                    payloadType: 96, codec: .vp8, clockRate: 90000, channels: 1, retransmissionPayloadType: 97,
                    feedback: [.nack, .pictureLoss, .transportCC])
            ])
        #expect(video.sources == offer.media[1].mediaSources && video.sources.count == 1)
        #expect(session.sections[2].content == .dataChannels(sctpPort: 5000, maximumMessageSize: 65536))
        #expect(!session.answer.text.contains("a=ssrc") && !session.answer.text.contains("a=msid"))
    }

    @Test func sectionsInOtherCodecsAreRejectedAndLeaveTheBundle() throws {
        let offer = try offer("janus-offer-with-h264")
        let session = try OfferAnswer.answer(offer, with: answerParameters())
        let h264 = try #require(offer.media.firstIndex { $0.rtpMaps.first?.codec == .h264 })
        #expect(session.sections[h264].content == .rejected && session.answer.media[h264].port == 0)
        #expect(session.answer.media[h264].direction == .inactive)
        #expect(session.answer.bundle == offer.bundle.filter { $0 != offer.media[h264].mid })
        #expect(session.answer.media.count == offer.media.count)
        let all = try OfferAnswer.answer(offer, with: answerParameters(accepting: [.opus, .vp8, .h264]))
        #expect(all.answer.bundle == offer.bundle)
        #expect(all.answer.text.contains("profile-level-id="))
    }

    @Test func inactiveSectionsStayInTheBundle() throws {
        let offer = try offer("janus-offer-after-unpublish")
        let session = try OfferAnswer.answer(offer, with: answerParameters(accepting: [.opus, .vp8, .h264]))
        #expect(session.answer.bundle == offer.bundle)
        for (section, offered) in zip(session.sections, offer.media) where offered.direction == .inactive {
            #expect(section.media?.direction == .inactive && section.media?.sources == [])
            #expect(session.answer.media[section.index].direction == .inactive)
        }
        #expect(session.sections.filter { $0.media?.direction == .inactive }.count == 3)
    }

    @Test func chatOfferIsAnswered() throws {
        let session = try OfferAnswer.answer(offer("janus-textroom-offer"), with: answerParameters())
        #expect(session.sections.map(\.content) == [.dataChannels(sctpPort: 5000, maximumMessageSize: 65536)])
        #expect(session.answer.bundle == [MediaSectionID("0")])
    }

    @Test func browserOfferOfManyCodecsIsCutDownToOurs() throws {
        let session = try OfferAnswer.answer(offer("chromium-offer-simulcast"), with: answerParameters())
        let payloads = session.sections.compactMap(\.media).map { $0.payloads.map(\.codec) }
        #expect(payloads.allSatisfy { $0 == [.opus] || $0 == [.vp8] } && payloads.count == 2)
        #expect(!session.answer.text.contains("goog-remb") && !session.answer.text.contains("red/48000"))
    }

    @Test(
        arguments: [
            ("a=rtcp-fb:96 transport-cc", [.nack, .remb]), ("a=extmap:3 http", [.nack, .remb]),
            ("nothing", [.nack, .transportCC]),
        ] as [(String, Set<NegotiatedPayload.Feedback>)])
    func bandwidthIsReportedInOneWay(without line: String, feedback: Set<NegotiatedPayload.Feedback>) throws {
        let lines = [
            "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=ice-ufrag:u", "a=ice-pwd:p",
            "a=fingerprint:sha-256 AA",
            "m=video 9 UDP/TLS/RTP/SAVPF 96", "a=rtpmap:96 VP8/90000", "a=rtcp-fb:96 goog-remb", "a=rtcp-fb:* nack",
            "a=rtcp-fb:96 transport-cc",
            "a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01",
        ].filter { !$0.hasPrefix(line) }
        let session = try OfferAnswer.answer(
            SessionDescription(parsing: lines.joined(separator: "\n")), with: answerParameters())
        #expect(session.sections[0].media?.payloads.first?.feedback == feedback)
        // Without a mid the section is known by its number, and the answer names none either.
        #expect(session.sections[0].mid == MediaSectionID("0") && session.answer.media[0].mid == nil)
    }

    @Test(arguments: [
        ("a=ice-pwd", OfferError.iceCredentialsMissing), ("a=fingerprint", .fingerprintMissing),
        ("m=", .nothingAcceptable),
        ("a=rtpmap", .nothingAcceptable),
    ])
    func offerThatCannotBeAnsweredSaysWhy(without line: String, error: OfferError) {
        let lines = [
            "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=ice-ufrag:u", "a=ice-pwd:p",
            "a=fingerprint:sha-256 AA",
            "m=video 9 UDP/TLS/RTP/SAVPF 96", "a=rtpmap:96 VP8/90000",
        ]
        let text = lines.filter { !$0.hasPrefix(line) }.joined(separator: "\n")
        #expect(throws: error) { try OfferAnswer.answer(SessionDescription(parsing: text), with: answerParameters()) }
        #expect(throws: OfferError.setupMismatch) {
            try OfferAnswer.answer(
                SessionDescription(parsing: lines.joined(separator: "\n") + "\na=setup:active"),
                with: answerParameters())
        }
    }

    @Test(arguments: [
        ("m=video 0 UDP/TLS/RTP/SAVPF 96", true), ("m=video 0 UDP/TLS/RTP/SAVPF 96\na=bundle-only", false),
    ])
    func portZeroIsRejectedUnlessItIsForTheBundle(line: String, isRejected: Bool) throws {
        let text = """
            v=0
            o=- 1 1 IN IP4 127.0.0.1
            s=-
            a=group:BUNDLE a b
            a=ice-ufrag:u
            a=ice-pwd:p
            a=fingerprint:sha-256 AA
            m=application 9 UDP/DTLS/SCTP webrtc-datachannel
            a=mid:a
            \(line)
            a=mid:b
            a=rtpmap:96 vp8/90000
            """
        let session = try OfferAnswer.answer(SessionDescription(parsing: text), with: answerParameters())
        #expect((session.sections[1].content == .rejected) == isRejected)
        #expect(session.answer.bundle.map(\.value) == (isRejected ? ["a"] : ["a", "b"]))
    }
}
