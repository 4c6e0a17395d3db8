package import MediaTypes

extension DecodedPicture {
    /// What it looks like from afar. Reads a few thousand points.
    package var look: PictureLook {
        withPlanes { planes, _ in
            var luma: [UInt8] = []
            luma.reserveCapacity(PictureLook.columns * PictureLook.rows)
            for row in 0..<PictureLook.rows {
                let y = (2 * row + 1) * planes.size.height / (2 * PictureLook.rows)
                for column in 0..<PictureLook.columns {
                    let x = (2 * column + 1) * planes.size.width / (2 * PictureLook.columns)
                    luma.append(planes.luma.start[y * planes.luma.stride + x])
                }
            }
            return PictureLook(luma: luma)
        }
    }
}
