import MediaTypes

@testable import MediaEngines

/// A generator that gives the same numbers every time (splitmix64).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Canvas {
    /// Paints soft shapes that move with time: something between a gradient and a face.
    func paintScenery(at time: Int = 0) {
        withPlanes { planes in
            func paint(_ plane: PicturePlanes.Plane, _ size: PixelSize, _ seed: Int) {
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let wave =
                            triangle(x * 3 + time * 5 + seed) + triangle(y * 4 + x + seed * 7) + triangle(y * 2 - time)
                        plane.start[y * plane.stride + x] = UInt8(40 + wave / 4 + (x ^ y) & 3)
                    }
                }
            }
            paint(planes.luma, planes.size, 0)
            paint(planes.blue, planes.chromaSize, 31)
            paint(planes.red, planes.chromaSize, 77)
        }
    }

    func luma(_ x: Int, _ y: Int) -> UInt8 { withPlanes { $0.luma.start[y * $0.luma.stride + x] } }
    func blue(_ x: Int, _ y: Int) -> UInt8 { withPlanes { $0.blue.start[y * $0.blue.stride + x] } }
    func red(_ x: Int, _ y: Int) -> UInt8 { withPlanes { $0.red.start[y * $0.red.stride + x] } }

    /// All pixels of all planes, without the padding.
    var pixels: [UInt8] { withPlanes(\.pixels) }
}

extension PicturePlanes {
    var pixels: [UInt8] {
        var all: [UInt8] = []
        for (plane, size) in [(luma, self.size), (blue, chromaSize), (red, chromaSize)] {
            for y in 0..<size.height {
                all.append(contentsOf: UnsafeBufferPointer(start: plane.start + y * plane.stride, count: size.width))
            }
        }
        return all
    }
}

extension DecodedPicture {
    var pixels: [UInt8] { withPlanes { planes, _ in planes.pixels } }
}

private func triangle(_ x: Int) -> Int {
    let phase = ((x % 256) + 256) % 256
    return phase < 128 ? phase * 2 : (255 - phase) * 2
}

/// Peak signal-to-noise ratio in dB; 100 for equal pictures.
func signalToNoise(_ a: [UInt8], _ b: [UInt8]) -> Double {
    precondition(a.count == b.count && !a.isEmpty)
    var sum = 0
    for index in a.indices {
        let difference = Int(a[index]) - Int(b[index])
        sum += difference * difference
    }
    guard sum > 0 else { return 100 }
    // 10 log10 by hand: the tests need no more than a tenth of a decibel.
    var ratio = 255.0 * 255.0 * Double(a.count) / Double(sum)
    var decibels = 0.0
    while ratio >= 10 {
        ratio /= 10
        decibels += 10
    }
    let step = 1.023_292_992_280_754  // 10^0.01, a tenth of a decibel
    while ratio >= step {
        ratio /= step
        decibels += 0.1
    }
    return decibels
}
