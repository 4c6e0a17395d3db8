import CallbotTesting
import MediaTypes
import RTP
import Testing

/// Version 2, marker, type 96, number 0x1234, one contributing source, one-byte extensions 1 (level) and 4 ("v1"),
/// payload AA BB CC, two bytes of padding.
let packetWithEverything: [UInt8] =
    [0xb1, 0xe0, 0x12, 0x34, 0x01, 0x02, 0x03, 0x04, 0xde, 0xad, 0xbe, 0xef]
    + [0x00, 0x00, 0x00, 0x07]
    + [0xbe, 0xde, 0x00, 0x02, 0x10, 0x85, 0x00, 0x41, 0x76, 0x31, 0x00, 0x00]
    + [0xaa, 0xbb, 0xcc, 0x00, 0x02]

@Suite struct RTPPacketTests {
    @Test func everyFieldIsRead() throws {
        let packet = try RTPPacket(parsing: packetWithEverything)
        #expect(packet.marker)
        #expect(packet.payloadType == PayloadType(96))
        #expect(packet.sequenceNumber == SequenceNumber(0x1234))
        #expect(packet.timestamp == 0x0102_0304)
        #expect(packet.ssrc == SSRC(0xdead_beef))
        #expect(packet.contributingSources == [SSRC(7)])
        #expect(Array(packet.bytes[packet.payload]) == [0xaa, 0xbb, 0xcc])
        #expect(packet.audioLevel(extension: 1) == AudioLevel(isVoice: true, attenuation: 5))
        // The low bits of 0x85, were it an orientation: a quarter to the right.
        #expect(packet.videoOrientation(extension: 1) == .right)
        #expect(packet.text(extension: 4) == "v1")
        #expect(packet.headerExtension(2) == nil)
        #expect(packet.headerExtension(0) == nil)
    }

    @Test func whatIsWrittenIsReadInBothExtensionForms() throws {
        for identifier in [3, 200] as [UInt8] {
            var outgoing = OutgoingRTPPacket(
                payloadType: PayloadType(111), sequenceNumber: SequenceNumber(65535), timestamp: 0xffff_ffff,
                ssrc: SSRC(9), marker: true, payload: [1, 2, 3])
            outgoing.headerExtensions = [(identifier, [0x01, 0x02]), (4, Array("audio".utf8))]
            outgoing.contributingSources = [SSRC(1), SSRC(2)]
            outgoing.padding = 7
            let packet = try RTPPacket(parsing: outgoing.serialized())
            #expect(packet.transportSequenceNumber(extension: identifier) == SequenceNumber(0x0102))
            #expect(packet.text(extension: 4) == "audio")
            #expect(packet.contributingSources == [SSRC(1), SSRC(2)])
            #expect(Array(packet.bytes[packet.payload]) == [1, 2, 3])
        }
    }

    @Test func aPacketOfPaddingAloneHasAnEmptyPayload() throws {
        var outgoing = OutgoingRTPPacket(
            payloadType: PayloadType(96), sequenceNumber: SequenceNumber(1), timestamp: 0, ssrc: SSRC(9), payload: [])
        outgoing.padding = 255
        #expect(try RTPPacket(parsing: outgoing.serialized()).payload.isEmpty)
    }

    @Test func errorsSayWhatIsWrong() {
        func error(_ bytes: [UInt8]) -> RTPPacket.ParseError? {
            do throws(RTPPacket.ParseError) {
                _ = try RTPPacket(parsing: bytes)
                return nil
            } catch { return error }
        }
        var twin = packetWithEverything
        #expect(error(Array(twin.prefix(11))) == .tooShort(11))
        twin[0] = 0x71
        #expect(error(twin) == .unsupportedVersion(1))
        twin[0] = 0xbf
        #expect(error(twin) == .contributingSourcesExceedPacket)
        twin[0] = 0xb1
        twin[19] = 0xff
        #expect(error(twin) == .headerExtensionExceedsPacket)
        twin[19] = 2
        twin[32] = 0
        #expect(error(twin) == .invalidPadding(0))
        twin[32] = 6
        #expect(error(twin) == .invalidPadding(6))
    }

    @Test func noMalformedPacketDoesHarm() {
        MalformedTwins.of(packetWithEverything, mutations: 5000) { twin in
            guard let packet = try? RTPPacket(parsing: twin) else { return }
            #expect(packet.payload.upperBound <= twin.count)
            for identifier in UInt8(0)...16 {
                if let range = packet.headerExtension(identifier) { #expect(range.upperBound <= twin.count) }
                _ = packet.text(extension: identifier)
                _ = packet.audioLevel(extension: identifier)
                _ = packet.videoOrientation(extension: identifier)
                _ = packet.transportSequenceNumber(extension: identifier)
            }
            _ = packet.contributingSources
            _ = RTPPacket(restoring: packet, ssrc: SSRC(1), payloadType: PayloadType(1))
        }
    }

    @Test func aRetransmissionIsRestored() throws {
        var outgoing = OutgoingRTPPacket(
            payloadType: PayloadType(97), sequenceNumber: SequenceNumber(5), timestamp: 77, ssrc: SSRC(2), marker: true,
            payload: [0x12, 0x34, 0xaa, 0xbb])
        let retransmission = try RTPPacket(parsing: outgoing.serialized())
        let original = try #require(
            RTPPacket(restoring: retransmission, ssrc: SSRC(1), payloadType: PayloadType(96)))
        #expect(original.sequenceNumber == SequenceNumber(0x1234))
        #expect(original.ssrc == SSRC(1))
        #expect(original.payloadType == PayloadType(96))
        #expect(original.marker && original.timestamp == 77)
        #expect(Array(original.bytes[original.payload]) == [0xaa, 0xbb])

        outgoing.payload = [1]
        let probe = try RTPPacket(parsing: outgoing.serialized())
        #expect(RTPPacket(restoring: probe, ssrc: SSRC(1), payloadType: PayloadType(96)) == nil)
    }

    @Test(
        arguments: [
            ([0x00, 0x01], .stun), ([0x01, 0x01], .stun), ([4, 0], .unknown), ([19, 0], .unknown), ([20, 254], .dtls),
            ([63, 0], .dtls), ([64, 0], .turnChannel), ([79, 0], .turnChannel), ([80, 0], .unknown), ([128, 96], .rtp),
            ([0x90, 0xe0], .rtp), ([128, 63], .rtp), ([128, 200], .rtcp), ([0x81, 192], .rtcp), ([0x8f, 223], .rtcp),
            ([128, 224], .rtp), ([192, 0], .unknown), ([128], .unknown), ([], .unknown),
        ] as [([UInt8], PacketDemultiplexer.Kind)])
    func theFirstBytesTellTheKindOfDatagram(datagram: [UInt8], kind: PacketDemultiplexer.Kind) {
        #expect(PacketDemultiplexer.kind(of: datagram) == kind)
    }
}
