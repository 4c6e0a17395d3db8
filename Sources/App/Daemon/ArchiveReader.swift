import Archive
import JSON

/// The archive as the daemon's site asks it, one question after the other.
actor ArchiveReader {
    private let folder: String
    private var archive: Archive?

    init(_ folder: String) { self.folder = folder }

    private func opened() throws -> Archive {
        if let archive { return archive }
        let opened = try Archive(folder)
        archive = opened
        return opened
    }

    /// A page of recordings, the newest first.
    func recordings(_ filter: RecordingFilter, limit: Int, after cursor: PageCursor?) throws -> JSONValue {
        let page = try opened().recordings(filter, limit: limit, after: cursor)
        var json: JSONValue = ["recordings": .array(page.elements.map(\.json))]
        if let next = page.next { json["next"] = .string("\(next)") }
        return json
    }

    /// Where words were said.
    func lines(with words: SearchWords, limit: Int, after cursor: PageCursor?) throws -> JSONValue {
        let page = try opened().lines(with: words, limit: limit, after: cursor)
        var json: JSONValue = ["lines": .array(page.elements.map(\.json))]
        if let next = page.next { json["next"] = .string("\(next)") }
        return json
    }

    /// The folder of the recording with exactly this id; nil when there is none.
    func folder(of id: String) -> String? {
        var filter = RecordingFilter()
        filter.id = id
        guard let archive = try? opened(), let found = try? archive.recordings(filter).elements else { return nil }
        return found.first { $0.id == id }.map(archive.path)
    }
}
