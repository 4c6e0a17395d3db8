import MediaTypes

extension Canvas {
    /// Paints what is about as hard to encode as what cameras see: soft shapes, edges, and a little grain. The same
    /// every time, for measuring.
    package func paintTexture() {
        withPlanes { planes in
            Self.paint(planes.luma, planes.size, grain: 8)
            Self.paint(planes.blue, planes.chromaSize, grain: 2)
            Self.paint(planes.red, planes.chromaSize, grain: 2)
        }
    }

    private static func paint(_ plane: PicturePlanes.Plane, _ size: PixelSize, grain: Int) {
        var noise: UInt32 = 2_463_534_242
        for y in 0..<size.height {
            let row = plane.start + y * plane.stride
            for x in 0..<size.width {
                noise ^= noise << 13
                noise ^= noise >> 17
                noise ^= noise << 5
                let soft = wave(x * 3 + y) + wave(y * 5 - x * 2)
                let edge = (x / 48 + y / 36) & 3 == 0 ? 48 : 0
                row[x] = UInt8(24 + soft / 4 + edge + Int(noise >> 16) % grain)
            }
        }
    }

    /// 0 up to 255 and down again.
    private static func wave(_ x: Int) -> Int {
        let phase = x & 511
        return phase < 256 ? phase : 511 - phase
    }
}
