package import Storage

/// The last line of a file of lines, as it is when its writer was stopped in the middle of it.
package enum TornLine {
    /// Cuts off what follows the last line feed, so that more lines can be added.
    /// - Returns: how many bytes were cut off.
    @discardableResult
    package static func cut(off path: String) throws(StorageError) -> Int64 {
        let file = try ReadableFile(path)
        var end = file.length
        while end > 0 {
            let start = max(0, end - (64 << 10))
            let bytes = try file.read(at: start, count: Int(end - start))
            if let feed = bytes.lastIndex(of: 0x0A) {
                end = start + Int64(feed) + 1
                break
            }
            end = start
        }
        if end < file.length { try AppendFile(reopening: path).truncate(to: end) }
        return file.length - end
    }
}
