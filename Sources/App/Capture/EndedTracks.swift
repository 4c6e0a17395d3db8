import JSON
import MediaTypes
import RecordingFormat
import Storage

/// The tracks that ended a while ago. What the manifest and the report say of them is written down once, in a scratch file, and
/// copied from there whenever those are written: in memory each takes some dozens of bytes.
final class EndedTracks {
    struct Entry {
        let track: TrackID
        /// Where the finished file says how long it is; nil when there is no file, or an unfinished one.
        let durationOffset: Int32?
        /// Where the three texts of it lie, one behind the other: how long each is.
        let start: Int64
        let trackLength: Int32
        let fileLength: Int32
        let reportLength: Int32

        var trackText: Range<Int64> { start..<start + Int64(trackLength) }
        /// Nil when there is no file.
        var fileText: Range<Int64>? {
            fileLength == 0 ? nil : trackText.upperBound..<trackText.upperBound + Int64(fileLength)
        }
        var reportText: Range<Int64> {
            let start = trackText.upperBound + Int64(fileLength)
            return start..<start + Int64(reportLength)
        }
    }

    private let folder: String
    /// Made with the first track.
    private(set) var scratch: ScratchFile?
    private var scratchLength: Int64 = 0
    /// By their numbers.
    private(set) var entries: [Entry] = []
    /// What became known after it was written down.
    private var changes: [TrackID: (recorded: RecordedTrack, report: TrackReport)] = [:]
    private var lateFrames: [TrackID: Int] = [:]
    /// Of their files.
    private(set) var bytes: Int64 = 0

    init(folder: String) { self.folder = folder }

    // MARK: - What there is

    /// Writes down what there is to say of a track. Where there is no space for that, nothing is done.
    func append(
        _ recorded: RecordedTrack, _ report: TrackReport, file: RecordingFile?, durationOffset: Int64?
    ) throws(StorageError) {
        let texts = [recorded.json.listElement, file?.json.listElement ?? [], report.json.listElement]
        if scratch == nil { scratch = try ScratchFile(in: folder) }
        try scratch?.write(texts.flatMap { $0 }, at: scratchLength)
        let entry = Entry(
            track: recorded.id, durationOffset: durationOffset.map { Int32(clamping: $0) }, start: scratchLength,
            trackLength: Int32(texts[0].count), fileLength: Int32(texts[1].count), reportLength: Int32(texts[2].count))
        entries.insert(entry, at: index(of: recorded.id))
        scratchLength = entry.reportText.upperBound
        bytes += file?.bytes ?? 0
    }

    /// Counts a frame that came long after its track's end. Returns whether it is of one of these tracks.
    func countLate(of track: TrackID) -> Bool {
        guard entry(of: track) != nil else { return false }
        lateFrames[track, default: 0] += 1
        return true
    }

    func report(of track: TrackID) throws(StorageError) -> TrackReport? {
        if let changed = changes[track] { return changed.report }
        guard let entry = entry(of: track) else { return nil }
        return try value(entry.reportText).flatMap { try? TrackReport($0) }
    }

    /// What the manifest says of a track, with the frames that came late.
    func recorded(_ entry: Entry) throws(StorageError) -> RecordedTrack? {
        if let changed = changes[entry.track] { return changed.recorded }
        guard var recorded = try value(entry.trackText).flatMap({ try? RecordedTrack($0) }) else { return nil }
        guard let late = lateFrames.removeValue(forKey: entry.track) else { return recorded }
        recorded.dropped.afterEnd += late
        _ = try change(recorded)
        return recorded
    }

    /// Changes what is said of a track. Returns its report as it is now.
    func change(_ recorded: RecordedTrack) throws(StorageError) -> TrackReport? {
        guard var report = try report(of: recorded.id) else { return nil }
        report.dropped = recorded.dropped.total
        report.failure = recorded.failure
        changes[recorded.id] = (recorded, report)
        return report
    }

    private func value(_ range: Range<Int64>) throws(StorageError) -> JSONValue? {
        guard let bytes = try scratch?.read(at: range.lowerBound, count: range.count) else { return nil }
        // Without its comma.
        return try? JSONValue(parsing: Array(bytes.dropFirst()))
    }

    /// Where the first track is that has this number or a higher one.
    private func index(of track: TrackID) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].track < track { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func entry(of track: TrackID) -> Entry? {
        let index = index(of: track)
        return index < entries.count && entries[index].track == track ? entries[index] : nil
    }

    // MARK: - Among the others

    /// Goes through these tracks and others, which are sorted as well, in the order of their numbers.
    func among<Other>(
        _ others: [Other], number: (Other) -> TrackID, ended: (Entry) -> Void, other: (Other) -> Void
    ) {
        var rest = entries[...]
        for element in others {
            while let entry = rest.first, entry.track < number(element) {
                ended(entry)
                rest.removeFirst()
            }
            other(element)
        }
        for entry in rest { ended(entry) }
    }

    func appendTrack(_ entry: Entry, to list: inout FileText.Builder) {
        if let changed = changes[entry.track] {
            list.append(changed.recorded.json)
        } else {
            list.append(kept: entry.trackText)
        }
    }

    func appendReport(_ entry: Entry, to list: inout FileText.Builder) {
        if let changed = changes[entry.track] {
            list.append(changed.report.json)
        } else {
            list.append(kept: entry.reportText)
        }
    }
}
