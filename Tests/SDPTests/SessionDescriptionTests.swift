import CallbotTesting
import MediaTypes
import SDP
import Testing

let recordedDescriptions = [
    "janus-textroom-offer", "janus-offer-one-publisher", "janus-offer-with-h264", "janus-offer-after-unpublish",
    "chromium-offer-simulcast",
]

@Suite struct SessionDescriptionTests {
    @Test(arguments: recordedDescriptions)
    func recordedDescriptionIsWrittenBackTheSame(name: String) throws {
        let text = try Fixture.text("sdp/\(name).sdp")
        let description = try SessionDescription(parsing: text)
        #expect(try SessionDescription(parsing: description.text) == description)
        // Byte for byte, but for the order of lines of different types within a section.
        #expect(description.text.split(separator: "\r\n").sorted() == text.split(separator: "\r\n").sorted())
        #expect(
            description.media.map(\.kind)
                == text.split(separator: "\r\n").filter { $0.hasPrefix("m=") }.map { line in
                    String(line.dropFirst(2).prefix { $0 != " " })
                })
    }

    @Test func janusOfferReadsAsJanusMeansIt() throws {
        let offer = try SessionDescription(parsing: Fixture.text("sdp/janus-offer-one-publisher.sdp"))
        #expect(offer.sessionName == "VideoRoom 1234")
        #expect(offer.origin.sessionVersion == "1" && offer.origin.address == "IN IP4 127.0.0.1")
        #expect(offer.bundle == ["0", "1", "2"].map(MediaSectionID.init))
        #expect(offer.fingerprints.map(\.hashFunction) == ["sha-256"] && offer.fingerprints[0].digest.count == 32)
        let audio = offer.media[0]
        #expect(audio.mid == MediaSectionID("0") && audio.direction == .sendonly && audio.port == 9 && audio.isEnabled)
        #expect(audio.rtpMaps == [RTPMap(payloadType: 111, encodingName: "opus", clockRate: 48000, channels: 2)])
        #expect(audio.formatParameters(of: 111)["useinbandfec"] == "1" && audio.formatParameters(of: 1).text == "")
        #expect(
            audio.setup == .actpass && audio.iceOptions == ["trickle"]
                && audio.iceCredentials?.usernameFragment.count == 4)
        #expect(audio.mediaSources.count == 1 && audio.mediaSources[0].retransmissionSSRC == nil)
        #expect(audio.mediaStream?.stream.isEmpty == false && audio.mediaStream?.track == "0")
        #expect(audio.candidates.count == 1 && audio.candidates[0].hasPrefix("candidate:1 1 udp"))
        #expect(audio.has("end-of-candidates") && audio.has("rtcp-mux") && !audio.has("rtcp-rsize"))
        let video = offer.media[1]
        #expect(video.rtpMaps.map(\.encodingName) == ["VP8", "rtx"] && video.rtpMaps[1].isRetransmission)
        #expect(video.feedback(of: 96) == ["ccm fir", "nack", "nack pli", "goog-remb", "transport-cc"])
        #expect(video.feedback(of: 97) == [])
        #expect(video.headerExtensions.map(\.id) == [2, 3, 4, 12, 13])
        #expect(video.mediaSources.count == 1 && video.mediaSources[0].retransmissionSSRC != nil)
        let data = offer.media[2]
        #expect(data.isDataChannels && data.sctpPort == 5000 && data.maximumMessageSize == 65536)
    }

    @Test(arguments: [
        ("", SDPError(.empty, line: 1)), ("\r\n\r\n", SDPError(.empty, line: 1)),
        ("o=- 1 1 IN IP4 h\r\n", SDPError(.versionMissing, line: 1)),
        ("v=1\n", SDPError(.unknownVersion, line: 1)), ("v=0\nnonsense", SDPError(.notTypeEqualsValue, line: 2)),
        ("v=0\n=x", SDPError(.notTypeEqualsValue, line: 2)), ("v=0\n\no=- 1 IN\n", SDPError(.malformedOrigin, line: 3)),
        ("v=0\nm=audio 9 X", SDPError(.malformedMedia, line: 2)),
        ("v=0\nm=audio 65536 X 0", SDPError(.malformedPort, line: 2)),
        ("v=0\nm=audio -1 X 0", SDPError(.malformedPort, line: 2)),
        ("v=0\né=1", SDPError(.notTypeEqualsValue, line: 2)),
    ])
    func malformedLineIsNamed(text: String, error: SDPError) {
        #expect(throws: error) { try SessionDescription(parsing: text) }
    }

    @Test func malformedAttributesAreKeptAndNotSeen() throws {
        let text = """
            v=0
            o=- 1 1 IN IP4 127.0.0.1
            s=-
            m=audio 9/2 UDP/TLS/RTP/SAVPF 111 0 200 x 0
            a=rtpmap:111
            a=rtpmap:111 opus
            a=rtpmap:111 opus/0
            a=rtpmap:200 opus/48000
            a=extmap:0 urn:x
            a=extmap:x urn:x
            a=extmap:3/recvonly urn:y extra
            a=ssrc:nothing cname:x
            a=ssrc:4294967296 cname:x
            a=ssrc:7 cname:x
            a=ssrc:7 msid:x
            a=ssrc-group:FID 7
            a=fingerprint:sha-256 AB:C:DE
            a=fingerprint:sha-256 +1:AA
            a=fingerprint:SHA-1 ab:CD
            a=setup:maybe
            a=ice-ufrag:only
            a=sctp-port:99999
            a=mid
            a=fmtp:111
            a=
            a=recvonly:not
            """
        let description = try SessionDescription(parsing: text)
        let section = try #require(description.media.first)
        #expect(section.attributes.count == 22)
        #expect(section.rtpMaps == [RTPMap(payloadType: 0, encodingName: "PCMU", clockRate: 8000)])
        #expect(section.headerExtensions == [HeaderExtension(id: 3, uri: "urn:y")])
        #expect(section.mediaSources == [MediaSource(ssrc: 7)])
        #expect(section.fingerprints.map(\.description) == ["sha-1 AB:CD"])
        #expect(section.setup == nil && section.iceCredentials == nil && section.sctpPort == nil && section.mid == nil)
        #expect(section.direction == .sendrecv && section.port == 9)
        #expect(try SessionDescription(parsing: description.text) == description)
    }

    /// Every line that is looked into, once and short.
    static let smallOffer = """
        v=0
        o=- 1 1 IN IP4 h
        a=group:BUNDLE 0 1
        a=fingerprint:sha-1 AB
        m=video 9 UDP/TLS/RTP/SAVPF 96 97
        a=sendonly
        a=mid:0
        a=ice-ufrag:u
        a=ice-pwd:p
        a=rtpmap:96 VP8/90000
        a=rtcp-fb:96 nack
        a=rtpmap:97 rtx/90000
        a=fmtp:97 apt=96
        a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
        a=ssrc-group:FID 3 4
        a=ssrc:3 cname:j
        m=application 9 UDP/DTLS/SCTP webrtc-datachannel
        a=mid:1
        a=sctp-port:5000
        """

    @Test func noMutationCrashesAndAnswersCanBeRead() throws {
        var answers = 0
        try MalformedTwins.of(Array(Self.smallOffer.utf8)) { answers += try answer($0) ? 1 : 0 }
        for name in recordedDescriptions {
            let original = try Fixture.bytes("sdp/\(name).sdp")
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<50 {
                var twin = original
                for _ in 0..<8 {
                    twin[Int.random(in: twin.indices, using: &generator)] = UInt8.random(
                        in: 10...126, using: &generator)
                }
                answers += try answer(twin) ? 1 : 0
            }
        }
        #expect(answers > 1000, "most mutations leave something to answer")
    }

    private func answer(_ bytes: [UInt8]) throws -> Bool {
        guard let offer = try? SessionDescription(parsing: String(decoding: bytes, as: UTF8.self)),
            let negotiated = try? OfferAnswer.answer(offer, with: answerParameters())
        else { return false }
        #expect(negotiated.answer.media.count == offer.media.count)
        #expect(try SessionDescription(parsing: negotiated.answer.text) == negotiated.answer)
        return true
    }
}
