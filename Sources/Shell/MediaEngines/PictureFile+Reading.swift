import CPango
import CTurboJPEG
import CYUV
package import MediaTypes

extension PictureFile {
    /// Why a file is not a picture that can be used. A part of a sentence: "is neither PNG nor JPEG".
    package enum DecodingError: Error, Hashable, CustomStringConvertible {
        case unknownFormat
        case tooLarge(PixelSize)
        /// The library's words.
        case damaged(String)

        package var description: String {
            switch self {
            case .unknownFormat: "is neither PNG nor JPEG"
            case .tooLarge(let size): "is \(size), which is more than 16384 pixels a side or 32 million in all"
            case .damaged(let reason): "is damaged or of an unusual kind (\(reason))"
            }
        }
    }

    /// Reads a PNG or a JPEG.
    /// - Parameter background: what is to be seen through transparent parts.
    package static func read(_ file: [UInt8], over background: Colour = .black) throws(DecodingError) -> StillPicture {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return try readPNG(file, over: background)
        }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return try readJPEG(file) }
        throw .unknownFormat
    }

    /// Small files may claim to hold huge pictures.
    private static func check(_ width: Int, _ height: Int) throws(DecodingError) -> PixelSize {
        guard width > 0, height > 0 else { throw .damaged("it has no pixels") }
        let size = PixelSize(width: width, height: height)
        guard width <= 16_384, height <= 16_384, width * height <= 32_000_000 else { throw .tooLarge(size) }
        return size
    }

    private static func readPNG(_ file: [UInt8], over background: Colour) throws(DecodingError) -> StillPicture {
        // Width and height are at the start of the first chunk, IHDR (PNG, section 11.2.2).
        guard file.count >= 24, file[12..<16].elementsEqual("IHDR".utf8) else { throw .damaged("it has no header") }
        func number(_ at: Int) -> Int { file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        let size = try check(number(16), number(20))
        let image = imageSurface(file)
        defer { cairo_surface_destroy(image) }
        try check(cairo_surface_status(image))
        guard cairo_image_surface_get_width(image) == size.width, cairo_image_surface_get_height(image) == size.height
        else { throw .damaged("it has more than one header") }
        // Painted on an opaque surface it has one pixel format, whichever it came in.
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(size.width), Int32(size.height))
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        cairo_set_source_rgb(
            cairo, Double(background.red) / 255, Double(background.green) / 255, Double(background.blue) / 255)
        cairo_paint(cairo)
        cairo_set_source_surface(cairo, image, 0, 0)
        cairo_paint(cairo)
        let status = cairo_status(cairo)
        cairo_destroy(cairo)
        try check(status)
        cairo_surface_flush(surface)
        guard let pixels = cairo_image_surface_get_data(surface) else { throw .damaged("it has no pixels") }
        return picture(of: size, pixels, stride: Int(cairo_image_surface_get_stride(surface)))
    }

    private static func check(_ status: cairo_status_t) throws(DecodingError) {
        guard status == CAIRO_STATUS_SUCCESS else { throw .damaged(String(cString: cairo_status_to_string(status))) }
    }

    private static func imageSurface(_ file: [UInt8]) -> OpaquePointer? {
        var rest = file[...]
        return withUnsafeMutablePointer(to: &rest) { rest in
            cairo_image_surface_create_from_png_stream(
                { rest, bytes, count in
                    guard let rest = rest?.assumingMemoryBound(to: ArraySlice<UInt8>.self), let bytes,
                        rest.pointee.count >= Int(count)
                    else { return CAIRO_STATUS_READ_ERROR }
                    for (index, byte) in rest.pointee.prefix(Int(count)).enumerated() { bytes[index] = byte }
                    rest.pointee.removeFirst(Int(count))
                    return CAIRO_STATUS_SUCCESS
                }, rest)
        }
    }

    private static func readJPEG(_ file: [UInt8]) throws(DecodingError) -> StillPicture {
        guard let decompressor = tjInitDecompress() else { throw .damaged("libjpeg-turbo does not start") }
        defer { tjDestroy(decompressor) }
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            tjDecompressHeader3(decompressor, file, UInt(file.count), &width, &height, &sampling, &space) == 0
        else { throw .damaged(String(cString: tjGetErrorStr2(decompressor))) }
        let size = try check(Int(width), Int(height))
        let stride = size.width * 4
        var pixels = [UInt8](repeating: 0, count: stride * size.height)
        guard
            tjDecompress2(
                decompressor, file, UInt(file.count), &pixels, width, Int32(stride), height, Int32(TJPF_BGRX.rawValue),
                0) == 0
        else { throw .damaged(String(cString: tjGetErrorStr2(decompressor))) }
        return picture(of: size, pixels, stride: stride)
    }

    /// - Parameter pixels: four bytes each: blue, green, red, one unused.
    private static func picture(of size: PixelSize, _ pixels: UnsafePointer<UInt8>, stride: Int) -> StillPicture {
        StillPicture(size: size) { planes in
            _ = ARGBToI420(
                pixels, Int32(stride), planes.luma.start, Int32(planes.luma.stride), planes.blue.start,
                Int32(planes.blue.stride), planes.red.start, Int32(planes.red.stride), Int32(size.width),
                Int32(size.height))
        }
    }
}
