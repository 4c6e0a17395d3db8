import CVPX
package import MediaTypes

/// VP8 (RFC 6386) or VP9 frames to pictures, on the caller's thread. Not for more than one thread at a time.
package final class VPXDecoder {
    /// The picture decoded last, as long as it may still be drawn; nil at the start and after a broken frame.
    package var picture: DecodedPicture? {
        planes.map { DecodedPicture(size: $0.size, decoder: self, generation: generation) }
    }

    private let codec: Codec
    private let largestArea: Int
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
    private let interface: OpaquePointer?
    /// Counts the pictures, so that a view of an older one is recognised.
    private var generation = 0
    private var planes: PicturePlanes?
    let scaler = PictureScaler()
    /// How the pictures of the next frames are turned before they are shown.
    package var rotation = PictureRotation.none
    private let turner = PictureTurner()

    /// - Parameter largest: the largest picture by area; a frame that announces more is refused before memory is taken.
    package init(
        _ codec: Codec, largest: PixelSize = PixelSize(width: 7680, height: 4320)
    ) throws(CodecError) {
        switch codec {
        case .vp8: interface = vpx_codec_vp8_dx()
        case .vp9: interface = vpx_codec_vp9_dx()
        default: throw .unsupported(codec)
        }
        self.codec = codec
        largestArea = largest.width * largest.height
        context = .allocate(capacity: 1)
        context.initialize(to: vpx_codec_ctx_t())
        var settings = vpx_codec_dec_cfg_t()
        settings.threads = 1
        let code = cb_vpx_dec_init(context, interface, &settings)
        guard code == VPX_CODEC_OK else {
            context.deallocate()
            throw .couldNotOpen(codec, code: Int(code.rawValue))
        }
    }

    deinit {
        vpx_codec_destroy(context)
        context.deallocate()
    }

    /// Decodes one frame.
    /// - Returns: the picture, valid until the next call; nil when the frame only prepares later ones.
    /// - Throws: `invalidFrame` and others for a frame that cannot be decoded. Decoding can go on, best at a keyframe.
    package func decode(_ payload: [UInt8]) throws(CodecError) -> DecodedPicture? {
        generation &+= 1
        planes = nil
        try refuseOversized(payload)
        let code = payload.withUnsafeBufferPointer { bytes in
            vpx_codec_decode(context, bytes.baseAddress, UInt32(clamping: bytes.count), nil, 0)
        }
        guard code == VPX_CODEC_OK else { throw .invalidFrame(codec, code: Int(code.rawValue)) }

        var iterator: vpx_codec_iter_t?
        var shown: UnsafeMutablePointer<vpx_image_t>?
        while let next = vpx_codec_get_frame(context, &iterator) { shown = next }
        guard let image = shown?.pointee else { return nil }
        guard image.fmt == VPX_IMG_FMT_I420 else { throw .unsupportedPixelFormat(Int(image.fmt.rawValue)) }
        guard let luma = image.planes.0, let blue = image.planes.1, let red = image.planes.2, image.d_w > 0,
            image.d_h > 0
        else { throw .invalidFrame(codec, code: Int(VPX_CODEC_ERROR.rawValue)) }
        let size = PixelSize(width: Int(image.d_w), height: Int(image.d_h))
        let decoded = PicturePlanes(
            size: size,
            luma: .init(start: luma, stride: Int(image.stride.0)),
            blue: .init(start: blue, stride: Int(image.stride.1)),
            red: .init(start: red, stride: Int(image.stride.2)))
        planes = rotation == .none ? decoded : turner.turn(decoded, by: rotation)
        return picture
    }

    /// A frame of nothing means "lost" to libvpx, and a header of a few bytes can ask for gigabytes. Looks at the first
    /// frame of the payload only: what hides behind it in a VP9 superframe is not seen.
    private func refuseOversized(_ payload: [UInt8]) throws(CodecError) {
        guard !payload.isEmpty else { throw .invalidFrame(codec, code: Int(VPX_CODEC_INVALID_PARAM.rawValue)) }
        var stream = vpx_codec_stream_info_t()
        stream.sz = UInt32(MemoryLayout<vpx_codec_stream_info_t>.size)
        let code = payload.withUnsafeBufferPointer { bytes in
            vpx_codec_peek_stream_info(interface, bytes.baseAddress, UInt32(clamping: bytes.count), &stream)
        }
        guard code == VPX_CODEC_OK else { return }  // Not a keyframe, or broken: the decoder will say.
        let size = PixelSize(width: Int(stream.w), height: Int(stream.h))
        guard size.width * size.height <= largestArea else { throw .pictureTooLarge(size) }
    }

    /// Lends the planes of the picture of this generation for the length of the closure.
    fileprivate func withPlanes<Result>(of generation: Int, _ body: (PicturePlanes) throws -> Result) rethrows -> Result
    {
        guard generation == self.generation, let planes else {
            preconditionFailure("a decoded picture was used after the next frame was decoded")
        }
        return try body(planes)
    }
}

/// What a decoder shows now: a view of the decoder's own memory, to be drawn before the next frame is decoded.
package struct DecodedPicture {
    package let size: PixelSize
    fileprivate let decoder: VPXDecoder
    fileprivate let generation: Int

    func withPlanes<Result>(_ body: (PicturePlanes, PictureScaler) throws -> Result) rethrows -> Result {
        try decoder.withPlanes(of: generation) { try body($0, decoder.scaler) }
    }
}
