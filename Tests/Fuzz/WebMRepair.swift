// A file that is to be repaired: what comes out is whole, has the same frames, and would not be repaired again.
import MediaTypes
import WebM

private func piece(_ bytes: [UInt8], _ offset: Int64, _ count: Int) -> [UInt8] {
    Array(bytes[min(Int(offset), bytes.count)..<min(Int(offset) + count, bytes.count)])
}

private func survey(_ bytes: [UInt8]) -> SegmentSurvey {
    SegmentSurvey(length: Int64(bytes.count)) { (offset, count) throws(Never) in piece(bytes, offset, count) }
}

private func repaired(_ bytes: [UInt8], _ survey: SegmentSurvey) -> [UInt8] {
    var rewriter = SegmentRewriter(survey, length: Int64(bytes.count), duration: .seconds(1)) {
        (offset, count) throws(Never) in piece(bytes, offset, count)
    }
    var file: [UInt8] = []
    while let output = rewriter.next() {
        switch output {
        case .append(let more): file += more
        case .copy(let range): file += bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        case .patch(let offset, let patch):
            file.replaceSubrange(Int(offset)..<Int(offset) + patch.count, with: patch)
        }
    }
    return file
}

/// What is known of a file by the beginnings of its clusters is the same whether it was looked at in one go or grew.
private func index(_ bytes: [UInt8]) {
    func extended(_ lengths: [Int]) -> SegmentIndex {
        var index = SegmentIndex()
        for length in lengths {
            index.extend(to: Int64(length)) { (offset, count) throws(Never) in
                piece(bytes, offset, min(count, max(0, length - Int(offset))))
            }
        }
        return index
    }
    let (grown, whole) = (extended([bytes.count / 3, bytes.count / 2, bytes.count]), extended([bytes.count]))
    guard grown.isPlain, whole.isPlain else { return }
    precondition(grown.starts == whole.starts && grown.clusters == whole.clusters, "it depends on how it was looked at")
    let finished = whole.finished { (offset, count) throws(Never) in piece(bytes, offset, count) }
    guard let finished else { return }
    let range = Int(finished.clusters.lowerBound)..<Int(finished.clusters.upperBound)
    let file = finished.front + bytes[range] + finished.back
    precondition(survey(file).problem == nil, "what it is served as is no file")
}

func fuzz(_ bytes: [UInt8]) {
    index(bytes)
    _ = SegmentSurvey.end(length: Int64(bytes.count)) { (offset, count) throws(Never) in piece(bytes, offset, count) }
    let before = survey(bytes)
    guard before.problem == nil else { return }
    let file = repaired(bytes, before)
    let after = survey(file)
    precondition(after.problem == nil && after.damagedBytes == 0, "it is damaged after it was repaired")
    precondition(after.isWhole, "it is not whole after it was repaired")
    precondition(after.tracks.map(\.frames) == before.tracks.map(\.frames), "it has other frames")
    precondition(after.tracks.map(\.lastFrame) == before.tracks.map(\.lastFrame), "they are at other times")
    precondition(repaired(file, after) == file, "repaired again, it differs")
}
