import JSON
import MediaTypes
package import RecordingFormat
import Storage

/// `report.json`, and what is gathered for it.
package final class ReportFile {
    /// How often it is written while the recording runs.
    private static let interval = Duration.seconds(5)
    /// A report on thousands of tracks is written less often: no more bytes a second than this, on average.
    private static let bytesPerSecond = 50_000

    package var builder = ReportBuilder(knowsLoss: true)
    /// Of what was written last.
    package private(set) var verdict: Verdict?
    /// Bytes in the file; nil when there is none.
    private(set) var length: Int64?
    private let path: String
    private var nextWrite = TimelineTime.zero
    private var isFailing = false

    init(path: String) { self.path = path }

    func isDue(at now: TimelineTime) -> Bool { now >= nextWrite }

    /// Writes the report on what has been gathered. Throws for the first of several failures in a row.
    func write(_ manifest: RecordingManifest, and ended: EndedTracks, at now: TimelineTime) throws(StorageError) {
        let report = builder.report(of: manifest, at: now)
        verdict = report.verdict
        let text = FileText(
            pieces: report.text { list in
                ended.among(report.tracks, number: \.track) {
                    ended.appendReport($0, to: &list)
                } other: {
                    list.append($0.json)
                }
            }, scratch: ended.scratch)
        nextWrite = now + max(Self.interval, .seconds(text.count / Self.bytesPerSecond))
        do {
            length = try AtomicFile.replace(path, writing: text.write)
            isFailing = false
        } catch {
            let isNews = !isFailing
            isFailing = true
            if isNews { throw error }
        }
    }
}
