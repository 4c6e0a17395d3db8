import MediaTypes
import RTP
import Testing

@testable import Reception

@Suite struct FrameAssemblerTests {
    private func packet(_ payload: [UInt8], timestamp: UInt32, marker: Bool) throws -> RTPPacket {
        try RTPPacket(
            parsing: OutgoingRTPPacket(
                payloadType: PayloadType(98), sequenceNumber: SequenceNumber(1), timestamp: timestamp, ssrc: SSRC(1),
                marker: marker, payload: payload
            ).serialized())
    }

    @Test func layersOfVP9AreOnePicture() throws {
        var assembler = try #require(FrameAssembler(codec: .vp9))
        var frames: [AssembledFrame] = []
        let keyframe: [UInt8] = [0x82, 0x49, 0x83, 0x42, 0x00, 0x13, 0xf0, 0x0b, 0x30, 0x00]
        // Layer 0 in two packets, layer 1 in one.
        assembler.handle(try packet([0xa8, 5, 0x00, 1] + keyframe, timestamp: 10, marker: false), into: &frames)
        assembler.handle(try packet([0xa4, 5, 0x00, 1, 0xaa], timestamp: 10, marker: false), into: &frames)
        #expect(frames.isEmpty)
        assembler.handle(try packet([0xec, 5, 0x03, 1, 0xbb], timestamp: 10, marker: true), into: &frames)
        #expect(frames.map(\.payload) == [keyframe + [0xaa, 0xbb]])
        #expect(frames.first?.isKeyframe == true)
        #expect(frames.first?.size == PixelSize(width: 320, height: 180))
        // A predicted picture without marker is whole when the next one begins.
        frames = []
        assembler.handle(try packet([0xe8, 6, 0x00, 2, 0x86, 1], timestamp: 20, marker: false), into: &frames)
        assembler.handle(try packet([0xe8, 7, 0x00, 3, 0x86, 2], timestamp: 30, marker: true), into: &frames)
        #expect(frames.map(\.payload) == [[0x86, 1], [0x86, 2]])
        #expect(frames.allSatisfy { !$0.isKeyframe && !$0.followsLoss })
    }

    @Test func framesOfVP8WithAPartMissingAreDroppedAndWhatFollowsIsMarked() throws {
        var assembler = try #require(FrameAssembler(codec: .vp8))
        var frames: [AssembledFrame] = []
        let keyframe: [UInt8] = [0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01]
        assembler.handle(try packet([0x10, 0x11, 0, 0], timestamp: 0, marker: true), into: &frames)
        #expect(assembler.counts.framesBeforeKeyframe == 1)
        assembler.handle(try packet([0x10] + keyframe, timestamp: 10, marker: true), into: &frames)
        // The middle is lost.
        assembler.handle(try packet([0x10, 0x11, 0, 0], timestamp: 20, marker: false), into: &frames)
        assembler.noteLoss()
        assembler.handle(try packet([0x00, 1], timestamp: 20, marker: true), into: &frames)
        // The start is lost: the next packet is in the middle.
        assembler.handle(try packet([0x10, 0x11, 0, 0], timestamp: 30, marker: true), into: &frames)
        assembler.noteLoss()
        assembler.handle(try packet([0x00, 1], timestamp: 40, marker: true), into: &frames)
        #expect(assembler.needsKeyframe)
        assembler.handle(try packet([0x10] + keyframe, timestamp: 50, marker: true), into: &frames)
        #expect(frames.map(\.rtpTimestamp) == [10, 30, 50])
        #expect(frames.map(\.followsLoss) == [false, true, false])
        #expect(assembler.counts.incompleteFrames == 2)
        #expect(!assembler.needsKeyframe)
    }

    @Test func codecsThatAreNotReadAreRefused() {
        #expect(FrameAssembler(codec: .h264) == nil)
        #expect(FrameAssembler(codec: .pcmu) == nil)
    }
}
