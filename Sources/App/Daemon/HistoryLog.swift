package import JSON
import MediaTypes
package import Storage

/// What became of every time at which a schedule was due, and of recordings afterwards: a line of JSON each, oldest first.
package final class HistoryLog {
    /// So many bytes are kept, and as many again that are older.
    private static let most: Int64 = 8 << 20

    private let path: String
    private var file: AppendFile?

    package init(_ place: StatePlace) { path = place.history }

    package func append(_ line: JSONValue) throws(StorageError) {
        if file == nil { file = Folder.exists(path) ? try AppendFile(reopening: path) : try AppendFile(creating: path) }
        if let length = file?.length, length > Self.most {
            file = nil
            try SmallFile.rename(path, to: path + ".1")
            file = try AppendFile(creating: path)
        }
        try file?.append(line.compactUTF8 + [0x0A])
        try file?.synchronize()
    }

    /// The last lines.
    package static func read(_ place: StatePlace, last count: Int) -> [JSONValue] {
        LineLog.read(place.history, last: count)
    }

    /// A line as it is told to others.
    static func entry(_ line: JSONValue) -> JSONValue {
        func moment(_ value: JSONValue?) -> JSONValue {
            value?.integer.map { .string(WallTime(microseconds: $0).iso8601) } ?? .null
        }
        if let folder = line["folder"]?.string {
            return [
                "at": moment(line["time"]), "what": line["what"] ?? "?", "folder": .string(folder),
                "text": line["text"] ?? "",
            ]
        }
        return [
            "schedule": line["event"]?["schedule"] ?? "?", "due": moment(line["event"]?["due"]),
            "at": moment(line["time"]), "outcome": line["outcome"] ?? "?", "text": line["text"] ?? "",
        ]
    }
}

/// A file of lines of JSON, and the one before it, which has `.1` at the end of its name.
enum LineLog {
    /// The last lines, the oldest of them first.
    static func read(_ path: String, last count: Int) -> [JSONValue] {
        var lines: [ArraySlice<UInt8>] = []
        for path in [path, path + ".1"] where lines.count < count {
            let bytes = (try? SmallFile.read(path)) ?? []
            // A last line without its end may be cut.
            lines = bytes.split(separator: 0x0A).suffix(count - lines.count) + lines
        }
        return lines.compactMap { try? JSONValue(parsing: Array($0)) }
    }
}
