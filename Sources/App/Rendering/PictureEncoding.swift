import EventLoop
import MediaEngines
import MediaTypes

/// Encodes windows of canvases on a thread of its own, while the next window is drawn: encoding costs about as much as all the
/// rest.
final class PictureEncoding {
    /// A canvas as it is at a tick. It is lent: nobody draws on it until its window has been fetched.
    struct Page: @unchecked Sendable {
        var canvas: Canvas
        var tick: Int64
        /// Where it differs from the tick before; nil for everywhere.
        var changes: [PixelRectangle]?
        /// Whether it is encoded half as wide and half as high.
        var isHalf: Bool
        var isLast: Bool
    }

    private enum Work: Sendable {
        case open
        case encode([Page])
    }

    private let assistant: Assistant<Work, Result<[EncodedFrame], CodecError>>

    init(_ settings: RenderSettings) throws(CodecError) {
        assistant = Assistant(name: "encoder") {
            let output = Result { () throws(CodecError) in try PictureOutput(settings) }
            return { work in
                Result { () throws(CodecError) in
                    let output = try output.get()
                    guard case .encode(let pages) = work else { return [] }
                    var frames: [EncodedFrame] = []
                    for page in pages {
                        let frame = try output.encode(
                            page.canvas, at: page.tick, changed: page.changes, isHalf: page.isHalf,
                            isLast: page.isLast)
                        if let frame { frames.append(frame) }
                    }
                    return frames
                }
            }
        }
        // Whether there is an encoder for this is to be known now.
        assistant.begin(.open)
        _ = try assistant.fetch().get()
    }

    /// Begins with a window's pages.
    func begin(_ pages: [Page]) { assistant.begin(.encode(pages)) }

    /// The frames of the oldest window that was begun and not fetched; waits for them.
    func fetch() throws(CodecError) -> [EncodedFrame] { try assistant.fetch().get() }
}
