import Composition
import MediaTypes
import Testing

@testable import Rendering

private let tile = PixelRectangle(x: 100, y: 50, width: 420, height: 236)

@Test(arguments: [
    (640, 360, 100, 50, 420, 236), (360, 640, 244, 50, 132, 236), (640, 480, 152, 50, 314, 236),
    (16, 16, 192, 50, 236, 236),
    (4000, 10, 100, 166, 420, 2), (1, 1000, 308, 50, 2, 236),
])
func pictureIsFittedWhole(width: Int, height: Int, x: Int, y: Int, w: Int, h: Int) {
    let placement = PicturePlacement(of: PixelSize(width: width, height: height), in: tile, .fit)
    #expect(placement.region == PixelRectangle(x: x, y: y, width: w, height: h))
    #expect(placement.cropping == nil)
}

@Test func pictureAFewPixelsTooLargeLosesItsRim() {
    let placement = PicturePlacement(of: PixelSize(width: 428, height: 240), in: tile, .fit)
    #expect(placement.region == tile)
    #expect(placement.cropping == PixelRectangle(x: 4, y: 2, width: 420, height: 236))
}

@Test(arguments: [
    PixelSize(width: 640, height: 480), PixelSize(width: 360, height: 640), PixelSize(width: 3, height: 3),
])
func croppedPictureFillsItsTile(size: PixelSize) throws {
    let placement = PicturePlacement(of: size, in: tile, .crop)
    let part = try #require(placement.cropping)
    #expect(placement.region == tile)
    #expect(part.x >= 0 && part.y >= 0 && part.right <= size.width && part.bottom <= size.height)
    #expect(part.width == size.width || part.height == size.height)
}

/// HP-11: an upright picture in the lower half of a wide canvas has background at its sides, and is whole.
@Test func uprightPictureInAWideTileIsLetterboxed() {
    let half = PixelRectangle(x: 0, y: 360, width: 1280, height: 360)
    let placement = PicturePlacement(of: PixelSize(width: 360, height: 640), in: half, .fit)
    #expect(placement.region == PixelRectangle(x: 538, y: 360, width: 202, height: 360))
    #expect(placement.cropping == nil)
}

/// OL-09: a 4:3 picture fills a 16:9 tile, cut at top and bottom alike.
@Test func fourToThreePictureFillsAWideTile() {
    let quadrant = PixelRectangle(x: 640, y: 360, width: 640, height: 360)
    let placement = PicturePlacement(of: PixelSize(width: 640, height: 480), in: quadrant, .crop)
    #expect(placement.region == quadrant)
    #expect(placement.cropping == PixelRectangle(x: 0, y: 60, width: 640, height: 360))
}
