import Composition
import JSON
import MediaEngines
import MediaTypes
import Recording
import Rendering

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
        ] + lookSettings(change)
    }

    /// Who is where in it and what it looks like, whatever its size.
    static func lookSettings<Target>(
        _ change:
            @escaping @Sendable (inout Target, (inout CompositeRecipe) throws(InvalidValue) -> Void)
            throws(InvalidValue) -> Void
    ) -> [Setting<Target>] {
        func option<Value: ArgumentValue>(
            _ name: String, _ valueName: String, _ help: String, key: String? = nil, as type: Value.Type,
            _ set: @escaping @Sendable (inout CompositeRecipe, Value) throws(InvalidValue) -> Void
        ) -> Setting<Target> {
            .option(name, valueName, help, key: key ?? name, as: type) { (target, value) throws(InvalidValue) in
                try change(&target) { (recipe) throws(InvalidValue) in try set(&recipe, value) }
            }
        }
        func flag(
            _ name: String, _ help: String, key: String?, means meaning: Bool,
            _ set: @escaping @Sendable (inout CompositeRecipe, Bool) -> Void
        ) -> Setting<Target> {
            .flag(name, help, key: key, means: meaning) { target, value in try? change(&target) { set(&$0, value) } }
        }
        return [
            option(
                "layout", "NAME|FILE",
                "Who is where: \(LayoutName.allCases.map(\.rawValue).joined(separator: ", ")) (default grid), or a file with one of your own, as recipes/layouts has some. 'callbot layout' draws them.",
                as: LayoutChoice.Layout.self
            ) { $0.layout.layout = $1 },
            option(
                "viewpoint", "WHO",
                "Whose view of the call it is: an app shows that person, a name or an id, as itself.",
                as: String.self
            ) { $0.layout.viewpoint = $1 },
            option("full", "WHO", "Who fills the picture, with the others in small.", as: String.self) {
                $0.layout.full = $1
            },
            option("pinned", "WHO", "Who has the large place, whoever speaks.", key: "pinned", as: String.self) {
                $0.layout.pinned = $1
            },
            flag("strict", "Exactly as the app, hiding whoever it hides.", key: "strict", means: true) {
                $0.layout.options.isStrict = $1
            },
            option(
                "overflow", "HOW",
                "Where the app has no room for all: scale (the default), reflow (more columns), or page, page:TIME (in turns).",
                as: OverflowArgument.self
            ) { $0.layout.options.overflow = $1.policy },
            option("gap", "PIXELS", "Between tiles, 0 to 200.", as: WholeNumber.self) {
                (recipe, number) throws(InvalidValue) in recipe.layout.options.gap = try number.within(0...200)
            },
            option("margin", "PIXELS", "Around all tiles, 0 to 400.", as: WholeNumber.self) {
                (recipe, number) throws(InvalidValue) in recipe.layout.options.margin = try number.within(0...400)
            },
            option(
                "pictures", "MODE", "fit (all of a picture) or crop (all of the tile); default: the layout's own.",
                as: ContentModeArgument.self
            ) { $0.layout.options.contentMode = $1.mode },
            option(
                "background", "COLOUR|FILE",
                "Behind the tiles: a colour such as #101114, or a PNG or JPEG file, cut to the size.",
                as: BackgroundArgument.self
            ) { recipe, background in
                switch background {
                case .colour(let colour): (recipe.background, recipe.backgroundPicture) = (colour, nil)
                case .picture(let picture): recipe.backgroundPicture = picture
                }
            },
            option(
                "corner-radius", "PIXELS", "Of tiles, 0 (the default) to 200.", key: "cornerRadius",
                as: WholeNumber.self
            ) {
                (recipe, number) throws(InvalidValue) in recipe.cornerRadius = try number.within(0...200)
            },
            option(
                "animate", "TIME",
                "How long tiles take to glide to another place, up to 2s; apps take 300ms (default: a cut).",
                as: Duration.self
            ) { (recipe, duration) throws(InvalidValue) in
                guard duration <= .seconds(2) else { throw InvalidValue("must not be longer than 2s") }
                recipe.animation = duration
            },
            flag("no-labels", "Write no names on pictures.", key: "labels", means: false) { $0.hasLabels = $1 },
            flag(
                "speaker-frame", "Draw a frame around whoever speaks (default for grid, speaker, screen and your own).",
                key: nil, means: true
            ) { $0.marksSpeakers = $1 },
            flag("no-speaker-frame", "Draw none.", key: "speakerFrame", means: false) { $0.marksSpeakers = $1 },
            flag("no-badges", "Do not show whose microphone or camera is muted.", key: "badges", means: false) {
                $0.hasBadges = $1
            },
            flag("clock", "Show the time of day, in UTC.", key: "clock", means: true) { $0.hasClock = $1 },
            flag(
                "stats", "Write on each picture its size and how many came in the last second.", key: "stats",
                means: true
            ) {
                $0.hasStatistics = $1
            },
        ]
    }
}

/// What can be written into WebM's video track today.
private enum CompositeCodec: String, CaseIterable, ArgumentValue {
    case vp8, vp9
    var codec: Codec { self == .vp8 ? .vp8 : .vp9 }
}
