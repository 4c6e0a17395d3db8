import CYUV
import MediaTypes

/// Scales pictures.
final class PictureScaler {
    func scale(_ source: PicturePlanes, to target: PicturePlanes) {
        func plane(_ from: PicturePlanes.Plane, _ size: PixelSize, _ to: PicturePlanes.Plane, _ scaled: PixelSize) {
            ScalePlane(
                from.start, Int32(from.stride), Int32(size.width), Int32(size.height),
                to.start, Int32(to.stride), Int32(scaled.width), Int32(scaled.height), kFilterBox)
        }
        plane(source.luma, source.size, target.luma, target.size)
        plane(source.blue, source.chromaSize, target.blue, target.chromaSize)
        plane(source.red, source.chromaSize, target.red, target.chromaSize)
    }
}
