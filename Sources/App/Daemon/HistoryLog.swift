package import JSON
package import Storage

/// What became of every time at which a schedule was due: a line of JSON each, oldest first.
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
        var lines: [ArraySlice<UInt8>] = []
        for path in [place.history, place.history + ".1"] where lines.count < count {
            let bytes = (try? SmallFile.read(path)) ?? []
            // A last line without its end may be cut.
            lines = bytes.split(separator: 0x0A).suffix(count - lines.count) + lines
        }
        return lines.compactMap { try? JSONValue(parsing: Array($0)) }
    }
}
