import CPango
import CTurboJPEG
import CYUV
import MediaTypes

/// A canvas as a picture file.
package enum PictureFile {
    package struct EncodingError: Error, CustomStringConvertible {
        package var description: String
    }

    /// A JPEG of the canvas.
    /// - Parameter quality: 1...100.
    package static func jpeg(_ canvas: Canvas, quality: Int = 85) throws(EncodingError) -> [UInt8] {
        // JPEG's YUV has full range, the canvas's limited: so by way of RGB.
        var pixels = pixels(of: canvas)
        guard let compressor = tjInitCompress() else {
            throw EncodingError(description: "libjpeg-turbo does not start")
        }
        defer { tjDestroy(compressor) }
        var file: UnsafeMutablePointer<UInt8>?
        var length: UInt = 0
        let code = tjCompress2(
            compressor, &pixels, Int32(canvas.size.width), Int32(canvas.size.width * 4), Int32(canvas.size.height),
            Int32(TJPF_BGRX.rawValue), &file, &length, Int32(TJSAMP_420.rawValue), Int32(min(max(quality, 1), 100)), 0)
        defer { tjFree(file) }
        guard code == 0, let file else {
            throw EncodingError(description: "JPEG: \(String(cString: tjGetErrorStr2(compressor)))")
        }
        return [UInt8](UnsafeBufferPointer(start: file, count: Int(length)))
    }

    /// A PNG of the canvas.
    package static func png(_ canvas: Canvas) throws(EncodingError) -> [UInt8] {
        var pixels = pixels(of: canvas)
        var file: [UInt8] = []
        let status = pixels.withUnsafeMutableBufferPointer { buffer in
            let surface = cairo_image_surface_create_for_data(
                buffer.baseAddress, CAIRO_FORMAT_RGB24, Int32(canvas.size.width), Int32(canvas.size.height),
                Int32(canvas.size.width * 4))
            defer { cairo_surface_destroy(surface) }
            return withUnsafeMutablePointer(to: &file) { file in
                cairo_surface_write_to_png_stream(
                    surface,
                    { file, bytes, count in
                        file?.assumingMemoryBound(to: [UInt8].self).pointee
                            .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
                        return CAIRO_STATUS_SUCCESS
                    }, file)
            }
        }
        guard status == CAIRO_STATUS_SUCCESS else {
            throw EncodingError(description: "PNG: \(String(cString: cairo_status_to_string(status)))")
        }
        return file
    }

    /// Four bytes a pixel: blue, green, red, one unused.
    private static func pixels(of canvas: Canvas) -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: canvas.size.width * canvas.size.height * 4)
        canvas.withPlanes { planes in
            _ = I420ToARGB(
                planes.luma.start, Int32(planes.luma.stride), planes.blue.start, Int32(planes.blue.stride),
                planes.red.start, Int32(planes.red.stride), &pixels, Int32(planes.size.width * 4),
                Int32(planes.size.width), Int32(planes.size.height))
        }
        return pixels
    }
}
