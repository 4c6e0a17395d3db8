import CallbotTesting
import Composition
import Glibc
import MediaEngines
import MediaTypes
import Rendering
import WebMReading

/// A finished composite as a player sees and hears it.
struct RenderedFile {
    let bytes: [UInt8]
    let summary: RenderSummary
    let reader: WebMReader
    let pictures: [EncodedFrame]
    let sounds: [EncodedFrame]
    let size: PixelSize
    /// Of the first channel at 48 kHz, from the timeline's zero on: without what the decoder throws away at the start.
    let samples: [Float]

    init(_ bytes: [UInt8], _ summary: RenderSummary) throws {
        self.bytes = bytes
        self.summary = summary
        reader = try WebMReader(bytes: bytes)
        size = reader.tracks.first { $0.kind == .video }?.size ?? PixelSize(width: 0, height: 0)
        let delay = reader.tracks.first { $0.kind == .audio }?.codecDelay ?? .zero
        var frames: [MediaKind: [EncodedFrame]] = [:]
        while let (_, frame) = try reader.nextFrame() { frames[frame.codec.kind, default: []].append(frame) }
        pictures = frames[.video] ?? []
        sounds = frames[.audio] ?? []
        let decoder = try OpusDecoder(channels: 2)
        var (samples, block) = ([Float](), [Float]())
        for packet in sounds {
            let count = try decoder.decode(packet.payload, into: &block)
            for index in 0..<count { samples.append(block[2 * index]) }
        }
        self.samples = Array(samples.dropFirst(Int(delay.nanoseconds * 48 / 1_000_000)))
    }

    /// What is on screen at these moments, in their order: a canvas each.
    func screens(at milliseconds: [Int64]) throws -> [Canvas] {
        let decoder = try VPXDecoder(pictures.first?.codec ?? .vp8)
        var next = 0
        return try milliseconds.map { moment in
            while next < pictures.count, pictures[next].time <= .ms(moment) {
                _ = try decoder.decode(pictures[next].payload)
                next += 1
            }
            let canvas = Canvas(size: size)
            if let picture = decoder.picture { canvas.draw(picture, into: PixelRectangle(size)) }
            return canvas
        }
    }

    /// How loud a tone is between two moments: 1 is a full-scale sine.
    func level(of hertz: Double, _ range: Range<Int64>) -> Double {
        let part = samples[Int(range.lowerBound * 48)..<Int(range.upperBound * 48)]
        var (cosine, sine) = (0.0, 0.0)
        for (index, sample) in part.enumerated() {
            let phase = 2 * Double.pi * hertz * Double(index) / 48_000
            cosine += Double(sample) * cos(phase)
            sine += Double(sample) * sin(phase)
        }
        return 2 * (cosine * cosine + sine * sine).squareRoot() / Double(part.count)
    }

    /// The loudest sample between two moments.
    func peak(_ range: Range<Int64>) -> Float {
        samples[Int(range.lowerBound * 48)..<Int(range.upperBound * 48)].map(abs).max() ?? 0
    }
}

extension Canvas {
    /// Whether the middle of a rectangle has a colour, but for what coding adds.
    func shows(_ colour: Colour, in region: PixelRectangle) -> Bool {
        let seen = pixel(atX: region.x + region.width / 2, y: region.y + region.height / 2)
        let plain = Canvas(size: PixelSize(width: 2, height: 2))
        plain.clear(colour)
        let wanted = plain.pixel(atX: 0, y: 0)
        func isNear(_ a: UInt8, _ b: UInt8) -> Bool { abs(Int(a) - Int(b)) <= 12 }
        return isNear(seen.luma, wanted.luma) && isNear(seen.blue, wanted.blue) && isNear(seen.red, wanted.red)
    }
}

extension GridLayouter {
    /// Where somebody alone is.
    static var whole: PixelRectangle { PixelRectangle(RenderSettings.small.size) }
}
