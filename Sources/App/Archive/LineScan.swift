import Storage

/// Goes through a file of lines, however long, with little memory.
enum LineScan {
    private static let block = 1 << 20
    /// Nobody writes such lines; one is passed over.
    private static let longestLine = 1 << 20

    /// Visits the lines that contain one of some words, or all when there are none to look for.
    /// - Parameter visit: takes a line without its line feed; says whether to go on.
    static func lines(
        of path: String, containing words: [String] = [], visit: (ArraySlice<UInt8>) -> Bool
    ) {
        guard let file = try? ReadableFile(path) else { return }
        let words = words.map { Array($0.utf8) }
        var rest: [UInt8] = []
        var offset: Int64 = 0
        while offset < file.length {
            guard let bytes = try? file.read(at: offset, count: block), !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            rest += bytes
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: 0x0A) {
                guard take(rest[start..<end], words, visit) else { return }
                start = end + 1
            }
            rest.removeSubrange(..<start)
            if rest.count > longestLine { rest.removeAll() }
        }
        // The last one may be torn; whoever reads it sees.
        if !rest.isEmpty { _ = take(rest[...], words, visit) }
    }

    private static func take(
        _ line: ArraySlice<UInt8>, _ words: [[UInt8]], _ visit: (ArraySlice<UInt8>) -> Bool
    ) -> Bool {
        guard !line.isEmpty, words.isEmpty || words.contains(where: { contains(line, $0) }) else { return true }
        return visit(line)
    }

    private static func contains(_ line: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        guard let first = word.first, line.count >= word.count else { return false }
        return line.withUnsafeBufferPointer { line in
            word.withUnsafeBufferPointer { word in
                var index = 0
                let last = line.count - word.count
                while index <= last {
                    if line[index] == first {
                        var matched = 1
                        while matched < word.count, line[index + matched] == word[matched] { matched += 1 }
                        if matched == word.count { return true }
                    }
                    index += 1
                }
                return false
            }
        }
    }
}
