import CallbotTesting
import RTP
import Testing

private let block = ReportBlock(
    ssrc: SSRC(0x0102_0304), fractionLost: 12, cumulativeLost: -3, highestSequenceNumber: 0x0001_ffff, jitter: 55,
    lastSenderReport: 0x1234_5678, delaySinceLastSenderReport: 65536)

/// One of each kind.
private let allKinds: [RTCPPacket] = [
    .senderReport(
        SenderReport(
            ssrc: SSRC(1), ntpTime: NTPTime(0xe900_0000_8000_0000), rtpTimestamp: 90_000, packetCount: 3,
            octetCount: 4, reportBlocks: [block, block])),
    .receiverReport(ReceiverReport(ssrc: SSRC(2), reportBlocks: [block])),
    .sourceDescription(
        SourceDescription(chunks: [
            .init(ssrc: SSRC(1), cname: "abc"), .init(ssrc: SSRC(2), cname: "é"),
            .init(ssrc: SSRC(3), cname: nil), .init(ssrc: SSRC(4), cname: "four56"),
        ])),
    .goodbye(Goodbye(sources: [SSRC(1), SSRC(2)])),
    .genericNACK(
        GenericNACK(
            sender: SSRC(1), source: SSRC(2),
            sequenceNumbers: [65530, 65531, 65535, 3, 10, 11, 28, 5000].map(SequenceNumber.init))),
    .pictureLossIndication(PictureLossIndication(sender: SSRC(1), source: SSRC(2))),
    .fullIntraRequest(FullIntraRequest(sender: SSRC(1), entries: [.init(source: SSRC(2), commandNumber: 7)])),
    .receiverEstimatedMaximumBitrate(
        ReceiverEstimatedMaximumBitrate(sender: SSRC(1), bitrate: 0x3_ffff << 7, sources: [SSRC(5), SSRC(6)])),
    .transportFeedback(
        TransportFeedback(
            sender: SSRC(1), source: SSRC(2), base: SequenceNumber(65533), feedbackCount: 250, referenceTime: -5,
            arrivals: [4, nil, 255, 256, -1, 0, nil, 1] + Array(repeating: 2, count: 30) + [nil, nil, 9])),
]

@Suite struct RTCPTests {
    @Test(arguments: allKinds)
    func whatIsWrittenIsRead(packet: RTCPPacket) {
        let bytes = RTCPCompound([packet]).serialized()
        #expect(bytes.count % 4 == 0)
        let compound = RTCPCompound(parsing: bytes)
        #expect(compound.packets == [packet])
        #expect(compound.error == nil)
    }

    @Test func aCompoundHoldsThemAllInOrder() {
        let compound = RTCPCompound(parsing: RTCPCompound(allKinds).serialized())
        #expect(compound.packets == allKinds)
        #expect(compound.error == nil)
    }

    /// The layouts of RFC 3550 section 6.4.2 and RFC 4585 section 6.2.1, byte by byte.
    @Test func bytesAreAsTheStandardsDrawThem() {
        let report = RTCPCompound([.receiverReport(ReceiverReport(ssrc: SSRC(2), reportBlocks: [block]))]).serialized()
        #expect(
            report == [0x81, 201, 0, 7, 0, 0, 0, 2, 1, 2, 3, 4, 12, 0xff, 0xff, 0xfd, 0, 1, 0xff, 0xff, 0, 0, 0, 55]
                + [0x12, 0x34, 0x56, 0x78, 0, 1, 0, 0])
        let nack = RTCPCompound([
            .genericNACK(
                GenericNACK(
                    sender: SSRC(1), source: SSRC(2), sequenceNumbers: [100, 101, 116, 117].map(SequenceNumber.init)))
        ]).serialized()
        #expect(nack == [0x81, 205, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 100, 0x80, 0x01, 0, 117, 0, 0])
        let names = RTCPCompound([.sourceDescription(SourceDescription(chunks: [.init(ssrc: SSRC(1), cname: "ab")]))])
        #expect(names.serialized() == [0x81, 202, 0, 3, 0, 0, 0, 1, 1, 2, 0x61, 0x62, 0, 0, 0, 0])
        let bye = RTCPCompound([.goodbye(Goodbye(sources: [SSRC(258)]))]).serialized()
        #expect(bye == [0x81, 203, 0, 1, 0, 0, 1, 2])
        let pli = RTCPCompound([.pictureLossIndication(PictureLossIndication(sender: SSRC(1), source: SSRC(2)))])
        #expect(pli.serialized() == [0x81, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2])
    }

    /// draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1.
    @Test func transportFeedbackIsAsTheDraftDrawsIt() {
        let feedback = TransportFeedback(
            sender: SSRC(1), source: SSRC(2), base: SequenceNumber(7), feedbackCount: 3, referenceTime: 0x010203,
            arrivals: [1, nil, -2, 300, nil, 5, 6, 7, 7, 7])
        #expect(
            RTCPCompound([.transportFeedback(feedback)]).serialized()
                == [0x8f, 205, 0, 8, 0, 0, 0, 1, 0, 0, 0, 2, 0, 7, 0, 10, 1, 2, 3, 3]
                // 01 00 10 10 00 01 01, then a run of three small ones
                + [0xd2, 0x85, 0x20, 0x03] + [1, 0xff, 0xfe, 0x01, 0x2c, 5, 6, 7, 7, 7] + [0, 0])
    }

    @Test func oneBitVectorsAreReadToo() {
        // Count 9, one-bit vector 10000000 1xxxxx, two deltas.
        let bytes: [UInt8] =
            [0x8f, 205, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 7, 0, 9, 0, 0, 0, 0] + [0xa0, 0x20, 4, 5]
        guard case .transportFeedback(let feedback)? = RTCPCompound(parsing: bytes).packets.first else {
            Issue.record("not read")
            return
        }
        #expect(feedback.arrivals == [4, nil, nil, nil, nil, nil, nil, nil, 5])
    }

    @Test func theBitrateIsRoundedDownAndNeverOverflows() {
        for bitrate in [0, 1, 0x3_ffff, 0x4_0001, 5_000_000, .max] as [UInt64] {
            let packet = RTCPPacket.receiverEstimatedMaximumBitrate(
                ReceiverEstimatedMaximumBitrate(sender: SSRC(1), bitrate: bitrate, sources: []))
            guard
                case .receiverEstimatedMaximumBitrate(let read)? =
                    RTCPCompound(parsing: RTCPCompound([packet]).serialized()).packets.first
            else {
                Issue.record("not read")
                return
            }
            #expect(read.bitrate <= bitrate)
            #expect(Double(read.bitrate) >= Double(bitrate) * (1 - 1 / 131_072))
        }
    }

    @Test func aMalformedMemberEndsTheCompoundAndWhatCameBeforeIsKept() {
        let good = RTCPCompound(Array(allKinds.prefix(2))).serialized()
        let cases: [([UInt8], RTCPPacket.ParseError)] = [
            ([0x80, 201], .tooShort(2)),
            ([0x40, 201, 0, 1, 0, 0, 0, 1], .unsupportedVersion(1)),
            ([0x80, 201, 0, 2, 0, 0, 0, 1], .lengthExceedsPacket),
            ([0xa0, 201, 0, 1, 0, 0, 0, 0], .invalidPadding(0)),
            ([0xa0, 201, 0, 1, 0, 0, 0, 5], .invalidPadding(5)),
            ([0x81, 201, 0, 1, 0, 0, 0, 1], .truncatedBody(packetType: 201)),
            ([0x81, 205, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2], .truncatedBody(packetType: 205)),
        ]
        for (bad, error) in cases {
            // Behind a member that is cut off nothing can follow.
            let isCutOff = error == .tooShort(2) || error == .lengthExceedsPacket
            let compound = RTCPCompound(parsing: good + bad + (isCutOff ? [] : good))
            #expect(compound.packets == Array(allKinds.prefix(2)))
            #expect(compound.error == error)
        }
        #expect(RTCPCompound(parsing: []).error == .tooShort(0))
    }

    @Test func unknownKindsArePassedOver() {
        let unknown: [UInt8] = [0x82, 207, 0, 1, 1, 2, 3, 4]
        let compound = RTCPCompound(parsing: unknown + RTCPCompound([allKinds[5]]).serialized())
        #expect(compound.packets == [.other(packetType: 207, format: 2), allKinds[5]])
    }

    @Test(arguments: allKinds.indices)
    func noMalformedMemberDoesHarm(index: Int) {
        MalformedTwins.of(RTCPCompound([allKinds[index], allKinds[5]]).serialized(), mutations: 2000) { twin in
            let compound = RTCPCompound(parsing: twin)
            #expect(!compound.packets.isEmpty || compound.error != nil)
            _ = compound.serialized()
        }
    }
}
