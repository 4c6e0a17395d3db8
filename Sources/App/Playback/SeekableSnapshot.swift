import EventLoop
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
    /// - Parameter limit: how much of the file, in bytes.
    init?(of file: ServedFile, to limit: Int64) {
        let end = min(max(0, limit), file.length)
        let read: (Int64, Int) -> [UInt8] = { Self.read(file, at: $0, count: Int(min(Int64($1), max(0, end - $0)))) }
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
        self.file = file
        self.pieces = pieces
        self.length = length
        tag = "\(file.tag.dropLast().split(separator: "-").first ?? "\"")-to-\(end)\""
        lastModified = file.lastModified
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

/// The snapshots that were asked for last: a player asks for one of them piece by piece.
final class SnapshotShelf: Sendable {
    static let shared = SnapshotShelf()
    private static let most = 40

    private let kept = Locked<[(key: String, snapshot: SeekableSnapshot)]>([])

    /// - Parameter path: of the file, wherever it is.
    func snapshot(of file: ServedFile, at path: String, to limit: Int64) -> SeekableSnapshot? {
        let key = "\(limit) \(path)"
        let known = kept.withLock { kept -> SeekableSnapshot? in
            guard let index = kept.firstIndex(where: { $0.key == key }) else { return nil }
            kept.append(kept.remove(at: index))
            return kept.last?.snapshot
        }
        if let known { return known }
        guard let made = SeekableSnapshot(of: file, to: limit) else { return nil }
        kept.withLock { kept in
            kept.append((key, made))
            if kept.count > Self.most { kept.removeFirst() }
        }
        return made
    }
}
