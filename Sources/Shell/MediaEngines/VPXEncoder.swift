import CVPX
package import MediaTypes

/// Pictures to VP8 (RFC 6386) or VP9 frames at a constant bit rate, in real time and on the caller's thread. Not for more
/// than one thread at a time.
package final class VPXEncoder {
    package struct Settings: Sendable {
        package var codec: Codec
        package var size: PixelSize
        /// Bits a second.
        package var bitRate: Int
        /// Output ticks a second; a picture belongs to one tick, and ticks without a picture are fine.
        package var ticksPerSecond: Int
        /// The most seconds from one keyframe to the next.
        package var keyframeSeconds: Int

        package init(
            codec: Codec = .vp8, size: PixelSize = PixelSize(width: 1280, height: 720), bitRate: Int = 1_500_000,
            ticksPerSecond: Int = 25, keyframeSeconds: Int = 5
        ) {
            self.codec = codec
            self.size = size
            self.bitRate = bitRate
            self.ticksPerSecond = ticksPerSecond
            self.keyframeSeconds = keyframeSeconds
        }
    }

    package let settings: Settings
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
    private var map: ActiveMap
    private var mapIsSet = false
    private var lastTick: Int64 = .min
    private var lastKeyframe: Int64 = .min
    private var keyframeIsDue = true

    package init(_ settings: Settings) throws(CodecError) {
        let interface: OpaquePointer?
        switch settings.codec {
        case .vp8: interface = vpx_codec_vp8_cx()
        case .vp9: interface = vpx_codec_vp9_cx()
        default: throw .unsupported(settings.codec)
        }
        self.settings = settings
        map = ActiveMap(size: settings.size, sharpening: Int64(settings.ticksPerSecond))

        var configuration = vpx_codec_enc_cfg_t()
        var code = vpx_codec_enc_config_default(interface, &configuration, 0)
        guard code == VPX_CODEC_OK else { throw .couldNotOpen(settings.codec, code: Int(code.rawValue)) }
        Self.configure(&configuration, settings)
        context = .allocate(capacity: 1)
        context.initialize(to: vpx_codec_ctx_t())
        code = cb_vpx_enc_init(context, interface, &configuration)
        guard code == VPX_CODEC_OK else {
            context.deallocate()
            throw .couldNotOpen(settings.codec, code: Int(code.rawValue))
        }
        for (control, value) in Self.controls(settings) where code == VPX_CODEC_OK {
            code = cb_vpx_control_int(context, control, value)
        }
        guard code == VPX_CODEC_OK else {
            vpx_codec_destroy(context)
            context.deallocate()
            throw .couldNotOpen(settings.codec, code: Int(code.rawValue))
        }
    }

    deinit {
        vpx_codec_destroy(context)
        context.deallocate()
    }

    /// Makes the next picture a keyframe.
    package func forceKeyframe() { keyframeIsDue = true }

    /// Whether the picture has stood still and sharp long enough that no frame is needed at this tick. A keyframe may
    /// still be wanted, so that one can seek.
    package func isStill(at tick: Int64) -> Bool { map.isStill(at: tick) }

    /// Encodes the picture of a tick.
    /// - Parameters:
    ///   - tick: later than any before; the time of the frame is `tick / ticksPerSecond`.
    ///   - changed: where the canvas differs from the picture encoded last; nil when it may differ anywhere.
    /// - Returns: nil when the encoder chose to leave the frame out.
    package func encode(
        _ canvas: Canvas, at tick: Int64, changed: [PixelRectangle]? = nil
    ) throws(CodecError) -> EncodedFrame? {
        precondition(tick > lastTick, "ticks go forward")
        precondition(canvas.size == settings.size, "the canvas has the size of the output")
        let interval = Int64(settings.keyframeSeconds * settings.ticksPerSecond)
        let isKeyframe = keyframeIsDue || tick - lastKeyframe >= interval
        map.note(changed, at: tick)
        try passOverStillBlocks(at: tick, isKeyframe: isKeyframe)
        let code = canvas.withPlanes { planes in
            var image = Self.image(of: planes)
            return vpx_codec_encode(
                context, &image, tick, 1, isKeyframe ? vpx_enc_frame_flags_t(VPX_EFLAG_FORCE_KF) : 0,
                UInt(VPX_DL_REALTIME))
        }
        guard code == VPX_CODEC_OK else { throw .encodingFailed(settings.codec, code: Int(code.rawValue)) }
        lastTick = tick
        return takeFrame()
    }

    private func takeFrame() -> EncodedFrame? {
        var iterator: vpx_codec_iter_t?
        var result: EncodedFrame?
        while let packet = vpx_codec_get_cx_data(context, &iterator) {
            guard packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT else { continue }
            let frame = packet.pointee.data.frame
            let isKeyframe = frame.flags & UInt32(VPX_FRAME_IS_KEY) != 0
            if isKeyframe {
                lastKeyframe = frame.pts
                keyframeIsDue = false
            }
            result = EncodedFrame(
                codec: settings.codec,
                time: TimelineTime(microseconds: frame.pts * 1_000_000 / Int64(settings.ticksPerSecond)),
                isKeyframe: isKeyframe, size: isKeyframe ? settings.size : nil,
                payload: [UInt8](UnsafeRawBufferPointer(start: frame.buf, count: frame.sz)))
        }
        return result
    }

    private func passOverStillBlocks(at tick: Int64, isKeyframe: Bool) throws(CodecError) {
        let hasStillBlocks = map.update(at: tick) && !isKeyframe
        guard hasStillBlocks || mapIsSet else { return }
        mapIsSet = hasStillBlocks
        let code = map.withLibraryMap(allActive: !hasStillBlocks) {
            cb_vpx_control_pointer(context, Int32(VP8E_SET_ACTIVEMAP.rawValue), $0)
        }
        guard code == VPX_CODEC_OK else { throw .encodingFailed(settings.codec, code: Int(code.rawValue)) }
    }
}

extension VPXEncoder {
    /// What was measured to be the best trade for a composite that is encoded as it happens.
    private static func configure(_ configuration: inout vpx_codec_enc_cfg_t, _ settings: Settings) {
        configuration.g_w = UInt32(settings.size.width)
        configuration.g_h = UInt32(settings.size.height)
        configuration.g_timebase = vpx_rational(num: 1, den: Int32(settings.ticksPerSecond))
        configuration.g_threads = 1  // libvpx's VP8 threads spin while they wait.
        configuration.g_lag_in_frames = 0
        configuration.rc_end_usage = VPX_CBR
        configuration.rc_target_bitrate = UInt32(clamping: settings.bitRate / 1000)
        configuration.rc_min_quantizer = 2
        configuration.rc_max_quantizer = 56
        configuration.rc_undershoot_pct = 100
        configuration.rc_overshoot_pct = 15
        configuration.rc_buf_sz = 1000
        configuration.rc_buf_initial_sz = 500
        configuration.rc_buf_optimal_sz = 600
        configuration.rc_dropframe_thresh = 0
        configuration.kf_max_dist = UInt32(clamping: settings.keyframeSeconds * settings.ticksPerSecond)
    }

    private static func controls(_ settings: Settings) -> [(Int32, Int32)] {
        let common: [(Int32, Int32)] = [
            // Negative is a fixed speed; a positive value slows down until it has used that share of real time.
            (Int32(VP8E_SET_CPUUSED.rawValue), settings.codec == .vp8 ? -8 : 8),
            (Int32(VP8E_SET_STATIC_THRESHOLD.rawValue), 0),
            (Int32(VP8E_SET_MAX_INTRA_BITRATE_PCT.rawValue), 450),
        ]
        if settings.codec == .vp8 { return common }
        return common + [
            (Int32(VP9E_SET_ROW_MT.rawValue), 0),
            (Int32(VP9E_SET_TILE_COLUMNS.rawValue), 0),
            (Int32(VP9E_SET_AQ_MODE.rawValue), 3),
        ]
    }

    /// Describes planes to libvpx, which only reads them.
    private static func image(of planes: PicturePlanes) -> vpx_image_t {
        var image = vpx_image_t()
        vpx_img_wrap(
            &image, VPX_IMG_FMT_I420, UInt32(planes.size.width), UInt32(planes.size.height), 1, planes.luma.start)
        image.planes = (planes.luma.start, planes.blue.start, planes.red.start, nil)
        image.stride = (Int32(planes.luma.stride), Int32(planes.blue.stride), Int32(planes.red.stride), 0)
        return image
    }
}

extension ActiveMap {
    /// Lends the map in libvpx's form for the length of the closure; libvpx copies it.
    fileprivate mutating func withLibraryMap<Result>(
        allActive: Bool, _ body: (UnsafeMutableRawPointer) -> Result
    ) -> Result {
        var blocks = allActive ? Array(repeating: 1, count: active.count) : active
        return blocks.withUnsafeMutableBufferPointer { buffer in
            var map = vpx_active_map_t(active_map: buffer.baseAddress, rows: UInt32(rows), cols: UInt32(columns))
            return withUnsafeMutableBytes(of: &map) { bytes in
                guard let address = bytes.baseAddress else { preconditionFailure("a structure has an address") }
                return body(address)
            }
        }
    }
}
