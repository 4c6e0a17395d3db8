package import MediaTypes

/// One track of a WebM file (RFC 9559 section 5.1.4.1), as it is declared at the file's start.
package struct TrackEntry: Hashable, Sendable {
    package enum Media: Hashable, Sendable {
        /// `display` is the size to be shown at, where the pixels are not square; nil when they are.
        case video(VideoCodecID, pixels: PixelSize, display: PixelSize?)
        /// Opus at 48 kHz. `preSkip` is the number of samples at the start that the decoder throws away (RFC 7845
        /// section 4.2): the encoder's delay. 0 for what comes from RTP, which does not say it.
        case opus(channels: Int, preSkip: Int)
    }

    /// The track's number in this file, from 1 to 126, which every frame is written with.
    package var number: Int
    /// The track's identity, which tags point to; never 0.
    package var uid: UInt64
    package var media: Media
    /// A name for people; empty for none.
    package var name: String

    package init(number: Int, uid: UInt64? = nil, media: Media, name: String = "") {
        precondition((1...126).contains(number), "a track number takes one byte")
        self.number = number
        self.uid = uid ?? UInt64(number)
        self.media = media
        self.name = name
    }
}

/// The codecs of pictures that callbot writes into WebM, by their Matroska names.
package enum VideoCodecID: String, Hashable, Sendable {
    case vp8 = "V_VP8"
    case vp9 = "V_VP9"

    /// Nil for a codec that WebM does not carry, or that is sound.
    package init?(_ codec: Codec) {
        switch codec {
        case .vp8: self = .vp8
        case .vp9: self = .vp9
        case .h264, .h265, .av1, .opus, .g722, .pcmu, .pcma: return nil
        }
    }
}

extension TrackEntry {
    var isVideo: Bool {
        switch media {
        case .video: true
        case .opus: false
        }
    }

    func append(to bytes: inout EBMLBytes) {
        bytes.append(.trackEntry) { entry in
            entry.append(.trackNumber, unsigned: UInt64(number))
            entry.append(.trackUID, unsigned: uid)
            entry.append(.flagLacing, unsigned: 0)
            entry.append(.language, string: "und")
            if !name.isEmpty { entry.append(.name, string: name) }
            switch media {
            case .video(let codec, let pixels, let display):
                entry.append(.trackType, unsigned: 1)
                entry.append(.codecID, string: codec.rawValue)
                entry.append(.video) { video in
                    video.append(.pixelWidth, unsigned: UInt64(max(1, pixels.width)))
                    video.append(.pixelHeight, unsigned: UInt64(max(1, pixels.height)))
                    if let display {
                        video.append(.displayWidth, unsigned: UInt64(max(1, display.width)))
                        video.append(.displayHeight, unsigned: UInt64(max(1, display.height)))
                    }
                }
            case .opus(let channels, let preSkip):
                entry.append(.trackType, unsigned: 2)
                entry.append(.codecID, string: "A_OPUS")
                entry.append(.codecPrivate, binary: opusHead(channels: channels, preSkip: preSkip))
                entry.append(.codecDelay, unsigned: UInt64(preSkip) * 1_000_000_000 / 48_000)
                // The decoder has converged after 80 ms (RFC 7845 section 4.6).
                entry.append(.seekPreRoll, unsigned: 80_000_000)
                entry.append(.audio) { audio in
                    audio.append(.samplingFrequency, float: 48_000)
                    audio.append(.channels, unsigned: UInt64(channels))
                }
            }
        }
    }
}

/// The identification header of Opus (RFC 7845 section 5.1), which is CodecPrivate in WebM: one or two channels,
/// 48 kHz, no gain.
private func opusHead(channels: Int, preSkip: Int) -> [UInt8] {
    let version: UInt8 = 1
    let inputSampleRate: [UInt8] = [0x80, 0xBB, 0, 0]
    let preSkipBytes = [UInt8(truncatingIfNeeded: preSkip), UInt8(truncatingIfNeeded: preSkip >> 8)]
    let outputGain: [UInt8] = [0, 0]
    let channelMappingFamily: UInt8 = 0
    return Array("OpusHead".utf8) + [version, UInt8(truncatingIfNeeded: channels)] + preSkipBytes + inputSampleRate
        + outputGain
        + [channelMappingFamily]
}
