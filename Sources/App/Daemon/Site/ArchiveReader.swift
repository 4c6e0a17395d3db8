import Archive
import JSON
import MediaTypes
import Playback
import RecordingFormat
import Storage

/// The archive as the daemon's site asks it, one question after the other. While there is none, nothing has been
/// recorded yet.
actor ArchiveReader {
    /// So many folders are remembered, so that a player that asks for a file piece by piece does not have the index
    /// asked each time.
    private static let mostFolders = 1000
    /// So many names of people are in a list for each recording.
    private static let mostNames = 8

    private let folder: String
    private var archive: Archive?
    private var folders: [String: String] = [:]

    init(_ folder: String) { self.folder = folder }

    /// Nil while there is none.
    private func opened() throws(ArchiveError) -> Archive? {
        if let archive { return archive }
        guard Folder.isFolder(folder) else { return nil }
        let opened = try Archive(folder)
        archive = opened
        return opened
    }

    /// A page of recordings.
    func recordings(
        _ filter: RecordingFilter, order: RecordingOrder, isReversed: Bool, limit: Int, after cursor: PageCursor?
    ) throws(ArchiveError) -> JSONValue {
        guard let archive = try opened() else { return ["recordings": []] }
        let page = try archive.recordings(
            filter, order: order, isReversed: isReversed, limit: limit, after: cursor)
        let names = try archive.names(ofPeopleIn: page.elements, most: Self.mostNames)
        var json: JSONValue = [
            "recordings": .array(
                zip(page.elements, names).map { recording, names in
                    self.json(recording, names: names, in: archive)
                })
        ]
        if let next = page.next { json["next"] = .string("\(next)") }
        return json
    }

    private func json(_ recording: ArchivedRecording, names: [String], in archive: Archive) -> JSONValue {
        var json = recording.json
        json["people"] = .array(names.map { .string($0) })
        let hasPoster = FileStatus(archive.path(of: recording) + "/" + FileNaming.poster)?.kind == .file
        json["poster"] = hasPoster ? .string(recording.page + "files/" + FileNaming.poster) : .null
        return json
    }

    /// One recording, with its report.
    func recording(_ id: String) throws(ArchiveError) -> JSONValue {
        let (archive, recording) = try find(id)
        let names = try archive.names(ofPeopleIn: [recording], most: 1000)
        var json = json(recording, names: names.first ?? [], in: archive)
        let report = try? SmallFile.read(archive.path(of: recording) + "/" + FileNaming.report, limit: 32 << 20)
        json["report"] = report.flatMap { try? JSONValue(parsing: $0) } ?? .null
        return json
    }

    /// Where words were said.
    func lines(
        with words: SearchWords, in filter: RecordingFilter, kinds: Set<FoundLine.Kind>, limit: Int,
        after cursor: PageCursor?
    ) throws(ArchiveError) -> JSONValue {
        guard let archive = try opened() else { return ["lines": []] }
        let page = try archive.lines(with: words, in: filter, kinds: kinds, limit: limit, after: cursor)
        var json: JSONValue = ["lines": .array(page.elements.map(Self.json))]
        if let next = page.next { json["next"] = .string("\(next)") }
        return json
    }

    private static func json(_ line: FoundLine) -> JSONValue {
        var json = line.json
        json["room"] = .string(line.recording.roomName)
        json["origin"] = line.recording.start.map { .string($0.iso8601) }
        return json
    }

    func setHeld(_ isHeld: Bool, _ id: String) throws(ArchiveError) {
        let (archive, recording) = try find(id)
        try archive.setHeld(isHeld, recording)
    }

    func remove(_ id: String) throws(ArchiveError) {
        let (archive, recording) = try find(id)
        try archive.remove(recording)
        folders[id] = nil
    }

    /// How many recordings there are, and how many bytes they have together.
    func totals() throws(ArchiveError) -> (count: Int, bytes: Int64) {
        try opened()?.totals() ?? (0, 0)
    }

    /// The folder of the recording with exactly this id.
    func folder(of id: String) throws(ArchiveError) -> String {
        if let known = folders[id], FileStatus(known)?.kind == .folder { return known }
        let (archive, recording) = try find(id)
        if folders.count >= Self.mostFolders { folders = [:] }
        folders[id] = archive.path(of: recording)
        return archive.path(of: recording)
    }

    private func find(_ id: String) throws(ArchiveError) -> (Archive, ArchivedRecording) {
        var filter = RecordingFilter()
        filter.id = id
        guard let archive = try opened(),
            let found = try archive.recordings(filter, limit: 100).elements.first(where: { $0.id == id })
        else { throw .noSuchRecording(id, archive: folder) }
        return (archive, found)
    }
}
