import WebM
import WebServer

/// A WebM file that is still being written, or was never finished, as a finished one: with its duration and a table of where
/// decoding can start, so that a browser can go anywhere in it at once. Nothing is written for it: what is not in the file
/// is kept in memory, the rest is read from the file.
///
/// It is of the file's first so many bytes, and stays what it is while the file grows.
final class SeekableSnapshot: ServedContent {
    private enum Source {
        case bytes([UInt8])
        /// From this offset of the file on.
        case file(Int64)
    }

    private struct Piece {
        var range: Range<Int64>
        var source: Source
    }

    let length: Int64
    let tag: String
    let lastModified: String
    private let file: ServedFile
    private let pieces: [Piece]

    /// Nil for a file of which nothing can be made.
    /// - Parameters:
    ///   - limit: how much of the file, in bytes.
    ///   - index: what is known of the file already; what is found is added to it.
    init?(of file: ServedFile, to limit: Int64, index: inout SegmentIndex) {
        let end = min(max(0, limit), file.length)
        // What was looked at beyond is of no use here.
        if index.length > end { index = SegmentIndex() }
        let read: (Int64, Int) -> [UInt8] = { Self.read(file, at: $0, count: Int(min(Int64($1), max(0, end - $0)))) }
        index.extend(to: end, read: read)
        guard let pieces = index.finished(read: read).map(Self.pieces) ?? Self.repaired(length: end, read: read) else {
            return nil
        }
        self.file = file
        self.pieces = pieces
        length = pieces.last?.range.upperBound ?? 0
        tag = "\(file.tag.dropLast().split(separator: "-").first ?? "\"")-to-\(end)\""
        lastModified = file.lastModified
    }

    /// What callbot itself writes, and is all right so far, is served as it is but for its beginning and its end.
    private static func pieces(of finished: SegmentIndex.FinishedFile) -> [Piece] {
        let front = Int64(finished.front.count)
        let back = front + Int64(finished.clusters.count)
        return [
            Piece(range: 0..<front, source: .bytes(finished.front)),
            Piece(range: front..<back, source: .file(finished.clusters.lowerBound)),
            Piece(range: back..<(back + Int64(finished.back.count)), source: .bytes(finished.back)),
        ]
    }

    /// Any other file is read as a whole, and what is of no use is left out.
    private static func repaired(length end: Int64, read: @escaping (Int64, Int) -> [UInt8]) -> [Piece]? {
        let survey = SegmentSurvey(length: end, read: read)
        guard survey.problem == nil else { return nil }
        var rewriter = SegmentRewriter(survey, length: end, read: read)
        var pieces: [Piece] = []
        var length: Int64 = 0
        func add(_ count: Int64, _ source: Source) {
            pieces.append(Piece(range: length..<length + count, source: source))
            length += count
        }
        while let output = rewriter.next() {
            switch output {
            case .append(let bytes): add(Int64(bytes.count), .bytes(bytes))
            case .copy(let range): add(range.upperBound - range.lowerBound, .file(range.lowerBound))
            case .patch(let offset, let bytes):
                guard let index = Self.index(of: offset, in: pieces), case .bytes(var old) = pieces[index].source else {
                    return nil
                }
                let start = Int(offset - pieces[index].range.lowerBound)
                guard start + bytes.count <= old.count else { return nil }
                old.replaceSubrange(start..<start + bytes.count, with: bytes)
                pieces[index].source = .bytes(old)
            }
        }
        return pieces
    }

    func read(at offset: Int64, count: Int) -> [UInt8] {
        guard count > 0, var index = Self.index(of: offset, in: pieces) else { return [] }
        var bytes: [UInt8] = []
        while bytes.count < count, index < pieces.count {
            let piece = pieces[index]
            let start = offset + Int64(bytes.count) - piece.range.lowerBound
            let wanted = Int(min(Int64(count - bytes.count), Int64(piece.range.count) - start))
            switch piece.source {
            case .bytes(let own): bytes += own[Int(start)..<Int(start) + wanted]
            case .file(let first):
                let found = Self.read(file, at: first + start, count: wanted)
                bytes += found
                guard found.count == wanted else { return bytes }
            }
            index += 1
        }
        return bytes
    }

    /// As many bytes as there are, up to so many.
    private static func read(_ file: ServedFile, at offset: Int64, count: Int) -> [UInt8] {
        var bytes = file.read(at: offset, count: count)
        while bytes.count < count {
            let more = file.read(at: offset + Int64(bytes.count), count: count - bytes.count)
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    private static func index(of offset: Int64, in pieces: [Piece]) -> Int? {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low < pieces.count && pieces[low].range.contains(offset) ? low : nil
    }
}
