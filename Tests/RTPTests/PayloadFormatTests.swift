import CallbotTesting
import MediaTypes
import RTP
import Testing

/// A keyframe of 640x360 in the first partition, with a long picture ID, TL0PICIDX and TID (RFC 7741 section 4.2).
let vp8KeyframePayload: [UInt8] =
    [0x90, 0xe0, 0x81, 0x23, 0x44, 0x60] + [0x50, 0x01, 0x00, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01, 0xff]

@Suite struct PayloadFormatTests {
    @Test func aKeyframeOfVP8IsReadWithAllItsFields() throws {
        let descriptor = try VP8PayloadDescriptor(parsing: vp8KeyframePayload, 0..<vp8KeyframePayload.count)
        #expect(descriptor.startsFrame)
        #expect(descriptor.pictureID == .init(value: 0x123, isLong: true))
        #expect(descriptor.temporalLayerZeroIndex == 0x44)
        #expect(descriptor.temporalLayer == 1)
        #expect(descriptor.isLayerSync)
        #expect(!descriptor.isNonReference)
        #expect(descriptor.length == 6)
        let header = VP8FrameHeader(parsing: vp8KeyframePayload, 6..<vp8KeyframePayload.count)
        #expect(header?.isKeyframe == true)
        #expect(header?.size == PixelSize(width: 640, height: 360))
    }

    @Test(
        arguments: [
            // descriptor, length, starts a frame, short picture ID
            ([0x10, 0xaa], 1, true, nil), ([0x00, 0xaa], 1, false, nil), ([0x11, 0xaa], 1, false, nil),
            ([0x90, 0x80, 0x7f, 0xaa], 3, true, 0x7f), ([0x90, 0x40, 0x01, 0xaa], 3, true, nil),
            ([0xb0, 0x20, 0xa0, 0xaa], 3, true, nil), ([0x90, 0x00, 0xaa], 2, true, nil),
        ] as [([UInt8], Int, Bool, UInt16?)])
    func descriptorsOfVP8AreReadInEveryForm(payload: [UInt8], length: Int, startsFrame: Bool, pictureID: UInt16?)
        throws
    {
        let descriptor = try VP8PayloadDescriptor(parsing: payload, 0..<payload.count)
        #expect(descriptor.length == length)
        #expect(descriptor.startsFrame == startsFrame)
        #expect(descriptor.pictureID?.value == pictureID)
    }

    @Test func pictureIDsWrapWithTheirLength() {
        #expect(PictureID(value: 0x7f, isLong: false).next.value == 0)
        #expect(PictureID(value: 0x7f, isLong: true).next.value == 0x80)
        #expect(PictureID(value: 0x7fff, isLong: true).next.value == 0)
    }

    @Test func malformedVP8Throws() {
        for length in 0...6 {
            #expect(throws: PayloadDescriptorError.truncated) {
                try VP8PayloadDescriptor(parsing: vp8KeyframePayload, 0..<length)
            }
        }
        #expect(VP8FrameHeader(parsing: vp8KeyframePayload, 6..<15) == nil)  // the size is cut off
        #expect(VP8FrameHeader(parsing: [0x50, 0, 0, 1, 2, 3, 0, 0, 0, 0], 0..<10) == nil)  // no start code
        #expect(VP8FrameHeader(parsing: [0x51, 0, 0], 0..<3)?.isKeyframe == false)
        MalformedTwins.of(vp8KeyframePayload, mutations: 5000) { twin in
            guard let descriptor = try? VP8PayloadDescriptor(parsing: twin, 0..<twin.count) else { return }
            #expect(descriptor.length < twin.count)
            _ = VP8FrameHeader(parsing: twin, descriptor.length..<twin.count)
        }
    }

    /// A keyframe of two spatial layers with its structure (320x180 and 640x360, no picture group), layer 0.
    private static let vp9KeyframePayload: [UInt8] =
        [0xaa, 0x81, 0x23, 0x00, 0x07]
        + [0x30, 0x01, 0x40, 0x00, 0xb4, 0x02, 0x80, 0x01, 0x68]
        // marker, profile 0, keyframe, shown; sync code; BT.601, studio; 319, 179
        + [0x82, 0x49, 0x83, 0x42, 0x20, 0x13, 0xf0, 0x0b, 0x30, 0x00]

    @Test func aKeyframeOfVP9IsReadWithAllItsFields() throws {
        let payload = Self.vp9KeyframePayload
        let descriptor = try VP9PayloadDescriptor(parsing: payload, 0..<payload.count)
        #expect(descriptor.startsPicture && !descriptor.isPredicted && !descriptor.endsLayerFrame)
        #expect(descriptor.pictureID == .init(value: 0x123, isLong: true))
        #expect(descriptor.temporalLayer == 0 && descriptor.spatialLayer == 0)
        #expect(descriptor.temporalLayerZeroIndex == 7)
        #expect(descriptor.size == PixelSize(width: 640, height: 360))
        #expect(descriptor.length == 14)
        let header = VP9FrameHeader(parsing: payload, 14..<payload.count)
        #expect(header?.isKeyframe == true)
        #expect(header?.size == PixelSize(width: 320, height: 180))
        #expect(VP9FrameHeader(parsing: [0x86, 0], 0..<2)?.isKeyframe == false)
        #expect(VP9FrameHeader(parsing: [0x88], 0..<1)?.isKeyframe == false)
        #expect(VP9FrameHeader(parsing: [0x00, 0], 0..<2) == nil)
    }

    @Test(
        arguments: [
            // descriptor, length, starts a picture
            ([0x08, 1], 1, true), ([0x00, 1], 1, false), ([0x88, 0x7f, 1], 2, true), ([0x28, 0x02, 9, 1], 3, false),
            ([0x28, 0x20, 9, 1], 3, true), ([0x38, 0x20, 1], 2, true), ([0x58, 0x03, 0x05, 0x06, 1], 4, true),
            ([0x0a, 0x08, 2, 0x04, 9, 0x00, 1], 6, true),
        ] as [([UInt8], Int, Bool)])
    func descriptorsOfVP9AreReadInEveryForm(payload: [UInt8], length: Int, startsPicture: Bool) throws {
        let descriptor = try VP9PayloadDescriptor(parsing: payload, 0..<payload.count)
        #expect(descriptor.length == length)
        #expect(descriptor.startsPicture == startsPicture)
        for cut in 0..<payload.count {
            #expect(throws: PayloadDescriptorError.truncated) {
                try VP9PayloadDescriptor(parsing: payload, 0..<cut)
            }
        }
    }

    @Test func malformedVP9Throws() {
        #expect(throws: PayloadDescriptorError.tooManyReferences) {
            try VP9PayloadDescriptor(parsing: [0x58, 3, 3, 3, 2, 1], 0..<6)
        }
        MalformedTwins.of(Self.vp9KeyframePayload, mutations: 5000) { twin in
            guard let descriptor = try? VP9PayloadDescriptor(parsing: twin, 0..<twin.count) else { return }
            #expect(descriptor.length < twin.count)
            _ = VP9FrameHeader(parsing: twin, descriptor.length..<twin.count)
        }
    }

    @Test(
        arguments: [
            // RFC 6716 table 2 and section 3.2
            ([0 << 3], 10_000), ([1 << 3], 20_000), ([2 << 3], 40_000), ([3 << 3], 60_000), ([11 << 3], 60_000),
            ([12 << 3], 10_000), ([13 << 3], 20_000), ([15 << 3], 20_000), ([16 << 3], 2_500), ([17 << 3], 5_000),
            ([18 << 3], 10_000), ([19 << 3], 20_000), ([31 << 3], 20_000), ([31 << 3 | 1], 40_000),
            ([31 << 3 | 2], 40_000), ([31 << 3 | 3, 3], 60_000), ([31 << 3 | 3, 0xc6], 120_000),
            ([16 << 3 | 3, 48], 120_000), ([0x78], 20_000), ([3 << 3 | 1], 120_000),
        ] as [([UInt8], Int)])
    func opusSaysHowLongItSounds(payload: [UInt8], microseconds: Int) throws {
        #expect(try OpusPayload(parsing: payload, 0..<payload.count).duration == .microseconds(microseconds))
    }

    @Test func opusSaysWhetherItIsStereo() throws {
        #expect(try OpusPayload(parsing: [0x7c], 0..<1).isStereo)
        #expect(try !OpusPayload(parsing: [0x78], 0..<1).isStereo)
    }

    @Test func malformedOpusThrows() {
        #expect(throws: OpusPayload.ParseError.empty) { try OpusPayload(parsing: [], 0..<0) }
        for payload in [[0x03], [0x03, 0], [0x03, 13], [0x1b, 3]] as [[UInt8]] {
            #expect(throws: OpusPayload.ParseError.invalidFrameCount) {
                try OpusPayload(parsing: payload, 0..<payload.count)
            }
        }
        for contents in UInt8.min...UInt8.max {
            for count in UInt8.min...UInt8.max {
                guard let payload = try? OpusPayload(parsing: [contents, count], 0..<2) else { continue }
                #expect(Duration.microseconds(2500)...Duration.milliseconds(120) ~= payload.duration)
            }
        }
    }
}
