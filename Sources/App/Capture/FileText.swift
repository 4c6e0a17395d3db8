import JSON
import Storage

/// The text of a file, of which parts lie in a scratch file.
struct FileText: Sendable {
    typealias Builder = JSONText<Range<Int64>>

    let pieces: [Builder.Piece]
    let scratch: ScratchFile?

    /// Bytes of the whole text.
    var count: Int {
        pieces.reduce(0) { sum, piece in
            switch piece {
            case .bytes(let bytes): sum + bytes.count
            case .kept(let range, let isFirst): sum + range.count - (isFirst ? 1 : 0)
            }
        }
    }

    func write(to content: inout AtomicFile.Content) throws(StorageError) {
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try content.append(bytes)
            case .kept(let range, let isFirst):
                let bytes = try scratch?.read(at: range.lowerBound, count: range.count) ?? []
                try content.append(bytes.dropFirst(isFirst ? 1 : 0))
            }
        }
    }
}
