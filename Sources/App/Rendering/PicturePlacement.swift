import Composition
import MediaTypes

/// How a picture of some size and shape goes into a tile.
struct PicturePlacement: Equatable {
    /// Where on the canvas; even edges, within the tile.
    var region: PixelRectangle
    /// The part of the picture that is shown; nil for all of it.
    var cropping: PixelRectangle?

    init(of picture: PixelSize, in tile: PixelRectangle, _ mode: Tile.ContentMode) {
        let (width, height) = (max(1, picture.width), max(1, picture.height))
        // A picture larger by a few pixels loses its rim: that is sharper and cheaper than to scale it by next to nothing.
        let (extraWidth, extraHeight) = (width - tile.width, height - tile.height)
        if 0...tile.width / 32 ~= extraWidth, 0...tile.height / 32 ~= extraHeight, extraWidth + extraHeight > 0 {
            region = tile
            cropping = PixelRectangle(
                x: extraWidth / 2 & ~1, y: extraHeight / 2 & ~1, width: tile.width, height: tile.height)
            return
        }
        let isWider = width * tile.height > height * tile.width
        switch mode {
        case .fit:
            let fitted =
                isWider
                ? PixelSize(width: tile.width, height: even(height * tile.width, over: width))
                : PixelSize(width: even(width * tile.height, over: height), height: tile.height)
            let size = PixelSize(width: min(tile.width, fitted.width), height: min(tile.height, fitted.height))
            region = PixelRectangle(
                x: tile.x + ((tile.width - size.width) / 2 & ~1), y: tile.y + ((tile.height - size.height) / 2 & ~1),
                width: size.width, height: size.height)
            cropping = nil
        case .crop:
            region = tile
            let shown =
                isWider
                ? PixelSize(width: min(width, even(height * tile.width, over: tile.height)), height: height)
                : PixelSize(width: width, height: min(height, even(width * tile.height, over: tile.width)))
            cropping = PixelRectangle(
                x: (width - shown.width) / 2 & ~1, y: (height - shown.height) / 2 & ~1, width: shown.width,
                height: shown.height)
        }
    }
}

/// The even number nearest to a quotient, at least 2.
private func even(_ number: Int, over divisor: Int) -> Int { max(2, (number + divisor) / (2 * divisor) * 2) }
