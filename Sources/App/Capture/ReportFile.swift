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
    /// What was written last.
    package private(set) var report: RecordingReport?
    /// Bytes in the file; nil when there is none.
    private(set) var length: Int64?
    private let path: String
    private var nextWrite = TimelineTime.zero
    private var isFailing = false

    init(path: String) { self.path = path }

    func isDue(at now: TimelineTime) -> Bool { now >= nextWrite }

    /// Writes the report on what has been gathered. Throws for the first of several failures in a row.
    func write(_ manifest: RecordingManifest, at now: TimelineTime) throws(StorageError) {
        let report = builder.report(of: manifest, at: now)
        self.report = report
        let bytes = Array(report.json.pretty.utf8)
        nextWrite = now + max(Self.interval, .seconds(bytes.count / Self.bytesPerSecond))
        do {
            try AtomicFile.replace(path, with: bytes)
            length = Int64(bytes.count)
            isFailing = false
        } catch {
            let isNews = !isFailing
            isFailing = true
            if isNews { throw error }
        }
    }
}
