package import MediaTypes

/// What can go wrong between a compressed frame and its sound or picture.
package enum CodecError: Error, Hashable, CustomStringConvertible {
    /// No engine here decodes or encodes this codec.
    case unsupported(Codec)
    /// The library refused the settings; its own error number.
    case couldNotOpen(Codec, code: Int)
    /// The frame is not one of this codec, or is damaged: the sender's fault. The decoder stays usable.
    case invalidFrame(Codec, code: Int)
    /// The picture is larger than the decoder was allowed to take.
    case pictureTooLarge(PixelSize)
    /// The picture is valid but not 8-bit 4:2:0.
    case unsupportedPixelFormat(Int)
    /// The library failed to encode; its own error number.
    case encodingFailed(Codec, code: Int)

    package var description: String {
        switch self {
        case .unsupported(let codec): "no engine for \(codec.rawValue)"
        case .couldNotOpen(let codec, let code): "could not open \(codec.rawValue) (error \(code))"
        case .invalidFrame(let codec, let code): "invalid \(codec.rawValue) frame (error \(code))"
        case .pictureTooLarge(let size): "picture of \(size) is too large"
        case .unsupportedPixelFormat(let format): "pixel format \(format) is not 8-bit 4:2:0"
        case .encodingFailed(let codec, let code): "encoding \(codec.rawValue) failed (error \(code))"
        }
    }
}
