import MediaTypes
package import Storage
package import WebM

/// Repairs one WebM or Matroska file, of callbot or of anybody: one that was cut short or never finished becomes a finished
/// one. The file itself is untouched until the new one is complete and on the disk.
package struct WebMRepair {
    package enum Failure: Error, Hashable {
        case storage(StorageError)
        /// Nothing can be made of it.
        case unusable(SegmentSurvey.Problem)
        /// Somebody wrote to it meanwhile.
        case isChanging
        /// The progress said so.
        case stopped
    }

    package enum Outcome: Hashable, Sendable {
        /// There was nothing to do.
        case whole
        /// It was whole, and says another duration now.
        case amended
        /// It is another file now, without so many bytes that were of no use.
        case repaired(leftOut: Int64)
    }

    /// Called with the share that is done, 0 to 1; says whether to go on.
    package typealias Progress = (Double) -> Bool

    package var path: String
    /// What the file shall say of its length; nil for what is in it.
    package var duration: Duration?
    /// For a file that has none.
    package var tags: [Tag] = []
    package var chapters: [Chapter] = []

    package init(path: String) { self.path = path }

    /// What is in the file.
    package func survey(progress: Progress = { _ in true }) throws(Failure) -> SegmentSurvey {
        try survey(of: open(), progress)
    }

    /// Repairs the file in its place.
    /// - Parameter known: what is in the file, where that is known already.
    package func repair(
        knowing known: SegmentSurvey? = nil, progress: Progress = { _ in true }
    ) throws(Failure) -> Outcome {
        let source = try open()
        let survey = if let known { known } else { try survey(of: source, progress) }
        if let problem = survey.problem { throw .unusable(problem) }
        if survey.isWhole {
            if isRight(survey.duration) { return .whole }
            if try amend(survey) { return .amended }
        }
        let path = path
        let replacement = try storing { () throws(StorageError) in try FileReplacement(of: path) }
        try rewrite(source, survey, into: replacement.file, progress)
        guard source.isUnchanged else { throw .isChanging }
        try storing { () throws(StorageError) in try replacement.commit() }
        return .repaired(leftOut: survey.damagedBytes)
    }

    /// Writes the repaired file to another place, where nothing is yet. The file itself stays as it is.
    package func repair(to output: String, progress: Progress = { _ in true }) throws(Failure) -> Outcome {
        let source = try open()
        let survey = try survey(of: source, progress)
        if let problem = survey.problem { throw .unusable(problem) }
        let file = try storing { () throws(StorageError) in try AppendFile(creating: output) }
        do {
            try rewrite(source, survey, into: file, progress)
            try storing { () throws(StorageError) in try file.synchronize() }
        } catch {
            SmallFile.remove(output)
            throw error
        }
        return .repaired(leftOut: survey.damagedBytes)
    }

    private func open() throws(Failure) -> ReadableFile {
        let path = path
        return try storing { () throws(StorageError) in try ReadableFile(path) }
    }

    private func survey(of source: ReadableFile, _ progress: Progress) throws(Failure) -> SegmentSurvey {
        let stop = Stop()
        return try SegmentSurvey(length: source.length) { offset in
            if !progress(Double(offset) / Double(max(1, source.length))) { stop.isStopped = true }
        } read: { (offset, count) throws(Failure) in
            if stop.isStopped { throw .stopped }
            return try storing { () throws(StorageError) in try source.read(at: offset, count: count) }
        }
    }

    private func rewrite(
        _ source: ReadableFile, _ survey: SegmentSurvey, into file: AppendFile, _ progress: Progress
    ) throws(Failure) {
        var rewriter = SegmentRewriter(
            survey, length: source.length, duration: duration, tags: tags, chapters: chapters
        ) { (offset, count) throws(Failure) in
            try storing { () throws(StorageError) in try source.read(at: offset, count: count) }
        }
        while let output = try rewriter.next() {
            switch output {
            case .append(let bytes): try storing { () throws(StorageError) in try file.append(bytes) }
            case .patch(let offset, let bytes):
                try storing { () throws(StorageError) in try file.patch(offset: offset, bytes) }
            case .copy(let range):
                try copy(range, of: source, into: file)
                guard progress(rewriter.progress) else { throw .stopped }
            }
        }
    }

    private func copy(_ range: Range<Int64>, of source: ReadableFile, into file: AppendFile) throws(Failure) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(1 << 20, range.upperBound - offset))
            let start = offset
            let bytes = try storing { () throws(StorageError) in try source.read(at: start, count: count) }
            guard bytes.count == count else { throw .isChanging }
            try storing { () throws(StorageError) in try file.append(bytes) }
            offset += Int64(count)
        }
    }

    // MARK: - Duration

    /// To the millisecond, which is as much as is written.
    private func isRight(_ stated: Duration?) -> Bool {
        guard let duration else { return true }
        guard let stated else { return false }
        return abs((stated - duration).microseconds) < 1000
    }

    /// Puts another duration over the one that is there: eight bytes that are either the old or the new ones.
    /// - Returns: false when there is no room for it.
    private func amend(_ survey: SegmentSurvey) throws(Failure) -> Bool {
        guard let duration, let field = survey.durationField, field.length == 8 else { return false }
        let bytes = survey.durationBytes(duration)
        let path = path
        try storing { () throws(StorageError) in
            let file = try AppendFile(reopening: path)
            try file.patch(offset: field.offset, bytes)
            try file.synchronize()
        }
        return true
    }
}

/// That the progress said to stop.
private final class Stop {
    var isStopped = false
}

private func storing<Value>(_ body: () throws(StorageError) -> Value) throws(WebMRepair.Failure) -> Value {
    do { return try body() } catch { throw .storage(error) }
}
