import MediaTypes
import RecordingFormat

/// Which files of a recording's folder are handed out, and as what.
package enum RecordingFiles {
    /// The type of a file by its path in the folder; nil for one that is not handed out.
    static func type(of path: [String]) -> String? {
        if path.count == 2, path[0] == FileNaming.tracksFolder, isName(path[1]), path[1].hasSuffix(".webm") {
            return "video/webm"
        }
        guard path.count == 1, isName(path[0]) else { return nil }
        switch path[0] {
        case FileNaming.manifest, FileNaming.report, FileNaming.waveform, FileNaming.speaking: return "application/json"
        case FileNaming.journal, FileNaming.chat: return "application/x-ndjson; charset=utf-8"
        case FileNaming.subtitles, FileNaming.thumbnailCues: return "text/vtt; charset=utf-8"
        case FileNaming.poster, FileNaming.thumbnails: return "image/jpeg"
        default: return isRendering(path[0]) ? renderingTypes.first { path[0].hasSuffix($0.suffix) }?.type : nil
        }
    }

    /// Whether a file at the top of the folder is a picture or a sound of the call.
    static func isRendering(_ name: String) -> Bool {
        isName(name) && renderingTypes.contains { name.hasSuffix($0.suffix) }
    }

    private static let renderingTypes = [
        (suffix: ".webm", type: "video/webm"), (suffix: ".ogg", type: "audio/ogg"),
        (suffix: ".opus", type: "audio/ogg"),
    ]

    private static func isName(_ name: String) -> Bool { !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") }

    /// The file's address, seen from the recording's page.
    static func link(_ path: [String]) -> String { (["files"] + path).map(\.percentEncoded).joined(separator: "/") }
}
