import CYUV
import MediaTypes

/// Turns pictures by quarters, into memory of its own that lasts until the next one.
final class PictureTurner {
    private var memory: UnsafeMutablePointer<UInt8>?
    private var capacity = 0

    deinit { memory?.deallocate() }

    func turn(_ picture: PicturePlanes, by rotation: PictureRotation) -> PicturePlanes {
        let size = picture.size.turned(rotation)
        let (width, chromaWidth) = (size.width, (size.width + 1) / 2)
        let (luma, chroma) = (width * size.height, chromaWidth * ((size.height + 1) / 2))
        let start = room(for: luma + 2 * chroma)
        let turned = PicturePlanes(
            size: size, luma: .init(start: start, stride: width),
            blue: .init(start: start + luma, stride: chromaWidth),
            red: .init(start: start + luma + chroma, stride: chromaWidth))
        I420Rotate(
            picture.luma.start, Int32(picture.luma.stride), picture.blue.start, Int32(picture.blue.stride),
            picture.red.start, Int32(picture.red.stride), turned.luma.start, Int32(width), turned.blue.start,
            Int32(chromaWidth), turned.red.start, Int32(chromaWidth), Int32(picture.size.width),
            Int32(picture.size.height), RotationMode(rawValue: UInt32(rotation.rawValue)))
        return turned
    }

    private func room(for count: Int) -> UnsafeMutablePointer<UInt8> {
        if let memory, capacity >= count { return memory }
        memory?.deallocate()
        let fresh = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        memory = fresh
        capacity = count
        return fresh
    }
}
