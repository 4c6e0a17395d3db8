import JSON
import MediaTypes
import Recording

extension CompositeRecipe {
    /// What can be set for a composite, by whichever command makes one.
    static func settings<Target>(
        _ change:
            @escaping @Sendable (inout Target, (inout CompositeRecipe) throws(InvalidValue) -> Void)
            throws(InvalidValue) -> Void
    ) -> [Setting<Target>] {
        [
            .option("size", "WxH", "Its size in pixels (default 1280x720).", key: "size", as: PixelSize.self) {
                (target, size) throws(InvalidValue) in
                try change(&target) { (recipe) throws(InvalidValue) in recipe.size = size }
            },
            .option("fps", "N", "Pictures a second, 1 to 60 (default 25).", key: "fps", as: WholeNumber.self) {
                (target, number) throws(InvalidValue) in
                try change(&target) { (recipe) throws(InvalidValue) in recipe.frameRate = try number.within(1...60) }
            },
            .option(
                "bitrate", "RATE", "Video bits a second, such as 1500k or 1.5M (default: what suits the size).",
                key: "bitrate", as: BitRate.self
            ) { (target, rate) throws(InvalidValue) in
                try change(&target) { (recipe) throws(InvalidValue) in
                    recipe.videoBitRate = try rate.within(10_000...100_000_000)
                }
            },
            .option("codec", "CODEC", "vp8 or vp9 (default vp8).", key: "codec", as: CompositeCodec.self) {
                (target, codec) throws(InvalidValue) in
                try change(&target) { (recipe) throws(InvalidValue) in recipe.videoCodec = codec.codec }
            },
            .option(
                "audio-bitrate", "RATE", "Audio bits a second, 6k to 510k (default 64k).", key: "audioBitrate",
                as: BitRate.self
            ) { (target, rate) throws(InvalidValue) in
                try change(&target) { (recipe) throws(InvalidValue) in
                    recipe.audioBitRate = try rate.within(6000...510_000)
                }
            },
        ]
    }
}

/// What can be written into WebM's video track today.
private enum CompositeCodec: String, CaseIterable, ArgumentValue {
    case vp8, vp9
    var codec: Codec { self == .vp8 ? .vp8 : .vp9 }
}
