import Database
import JSON
import MediaTypes
import RecordingFormat

/// The index's tables: what is known of recordings is put in and taken out here.
struct RecordingIndex {
    let database: Database

    /// Opens an index that is there. A file that is none, or one of a newer callbot, is an error (`.corrupt`, `.tooNew`).
    init(opening path: String) throws(DatabaseError) {
        database = try Database(path, .existing)
        guard try database.application == IndexSchema.application else {
            throw DatabaseError(.corrupt, path, "it is not callbot's")
        }
        try database.migrate(IndexSchema.steps)
    }

    /// Makes one in a database that is empty.
    init(in database: Database) throws(DatabaseError) {
        self.database = database
        try database.setApplication(IndexSchema.application)
        try database.migrate(IndexSchema.steps)
    }

    // MARK: - Putting in and taking out

    /// Puts a recording in, in the place of what was known of its folder.
    func put(_ contents: RecordingContents, parent: String, isSettled: Bool) throws(DatabaseError) {
        try remove(folder: contents.recording.folder)
        let recording = contents.recording
        let number = try freeNumber(from: recording.start)
        let stamp = contents.stamp
        try database.run(
            """
            INSERT INTO recordings VALUES (
              \(number), \(recording.folder), \(parent), \(recording.id), \(recording.room.address),
              \(recording.room.description), \(Self.folded(recording.room)),
              \(orNull: recording.start?.microseconds), \(orNull: recording.duration?.microseconds),
              \(recording.state.rawValue), \(orNull: recording.grade?.rawValue),
              \(JSONValue.array(recording.reasons.map(JSONValue.string)).compact), \(orNull: recording.problem),
              \(recording.bytes), \(recording.people), \(recording.isHeld), \(orNull: recording.source),
              \(stamp.folder), \(stamp.inode), \(stamp.manifest), \(stamp.manifestBytes), \(isSettled))
            """)
        for person in contents.people {
            try database.run(
                """
                INSERT INTO people VALUES (\(number), \(person.id), \(person.name), \(Self.folded(person.name)))
                """)
        }
        for track in contents.tracks {
            try database.run(
                """
                INSERT INTO tracks VALUES (
                  \(number), \(track.number), \(track.participant), \(track.kind), \(track.source), \(track.codec),
                  \(track.started.microseconds), \(orNull: track.ended?.microseconds), \(track.bytes),
                  \(orNull: track.file))
                """)
        }
        for gap in contents.gaps {
            try database.run(
                """
                INSERT INTO gaps VALUES (
                  \(number), \(orNull: gap.track), \(gap.from.microseconds), \(gap.to.microseconds), \(gap.reason))
                """)
        }
        // In the order of their moments, however they were read. The full text takes rising numbers best.
        let order = contents.lines.indices.sorted { (contents.lines[$0].at, $0) < (contents.lines[$1].at, $1) }
        for (place, index) in order.prefix(Int(IndexSchema.linesPerRecording)).enumerated().reversed() {
            let line = Self.lines(of: number).upperBound - Int64(place)
            let it = contents.lines[index]
            try database.run(
                """
                INSERT INTO lines VALUES (
                  \(line), \(it.at.microseconds), \(it.kind.rawValue), \(orNull: it.person), \(it.text))
                """)
            try database.run("INSERT INTO words (rowid, text) VALUES (\(line), \(it.text))")
        }
    }

    func remove(folder: String) throws(DatabaseError) {
        let found = try database.first("SELECT number FROM recordings WHERE folder = \(folder)") {
            (row) throws(DatabaseError) in try row.integer(0)
        }
        guard let number = found else { return }
        let lines = Self.lines(of: number)
        // The words are kept without their texts, so each text says once more which they were.
        try database.run(
            """
            INSERT INTO words (words, rowid, text) SELECT 'delete', number, text FROM lines
            WHERE number BETWEEN \(lines.lowerBound) AND \(lines.upperBound)
            """)
        try database.run("DELETE FROM lines WHERE number BETWEEN \(lines.lowerBound) AND \(lines.upperBound)")
        try database.run("DELETE FROM recordings WHERE number = \(number)")
    }

    /// The numbers that lines of a recording may have.
    static func lines(of recording: Int64) -> ClosedRange<Int64> {
        let first = recording * IndexSchema.linesPerRecording
        return first...(first + IndexSchema.linesPerRecording - 1)
    }

    /// The number of a recording that starts at a moment, if no other had it: so numbers sort by the start.
    static func number(of start: WallTime?) -> Int64 {
        min(max(0, (start?.microseconds ?? 0) / 1000), (1 << 41) - 1)
    }

    private func freeNumber(from start: WallTime?) throws(DatabaseError) -> Int64 {
        var number = Self.number(of: start)
        while let taken = try database.first(
            "SELECT number FROM recordings WHERE number = \(number)",
            { (row) throws(DatabaseError) in try row.integer(0) })
        {
            number = taken + 1
        }
        return number
    }

    // MARK: - What is known of the folders

    struct KnownRecording {
        var number: Int64
        var place: ArchiveWalk.Place
        var stamp: RecordingStamp
    }

    enum KnownRecordings {
        /// Those that lie in a folder.
        case inFolder(String)
        /// Those that have to be read again, whatever is seen of them.
        case unsettled
        /// So many of the others with lower numbers than this, the newest first.
        case settled(before: Int64, limit: Int)
    }

    struct KnownFolder {
        var path: String
        var parent: String
        var modified: Int64
        var inode: Int64
        var isSettled: Bool
    }

    /// The newest first.
    func knownRecordings(_ which: KnownRecordings) throws(DatabaseError) -> [KnownRecording] {
        let condition: SQL =
            switch which {
            case .inFolder(let folder): "parent = \(folder)"
            case .unsettled: "settled = 0"
            case .settled(let before, let limit):
                "settled = 1 AND number < \(before) ORDER BY number DESC LIMIT \(limit)"
            }
        return try database.rows(
            """
            SELECT number, folder, parent, stamp_folder, stamp_inode, stamp_manifest, stamp_bytes FROM recordings
            WHERE \(condition)
            """
        ) { (row) throws(DatabaseError) in
            var stamp = RecordingStamp()
            stamp.folder = try row.integer(3)
            stamp.inode = try row.integer(4)
            stamp.manifest = try row.integer(5)
            stamp.manifestBytes = try row.integer(6)
            return KnownRecording(
                number: try row.integer(0), place: .init(folder: try row.text(1), parent: try row.text(2)), stamp: stamp
            )
        }
    }

    func knownFolders() throws(DatabaseError) -> [KnownFolder] {
        try database.rows("SELECT path, parent, modified, inode, settled FROM folders ORDER BY path") {
            (row) throws(DatabaseError) in
            KnownFolder(
                path: try row.text(0), parent: try row.text(1), modified: try row.integer(2), inode: try row.integer(3),
                isSettled: try row.flag(4))
        }
    }

    func put(_ folder: KnownFolder) throws(DatabaseError) {
        try database.run(
            """
            INSERT OR REPLACE INTO folders VALUES (
              \(folder.path), \(folder.parent), \(folder.modified), \(folder.inode), \(folder.isSettled))
            """)
    }

    func removeFolder(_ path: String) throws(DatabaseError) {
        try database.run("DELETE FROM folders WHERE path = \(path)")
    }

    /// A note of the index for itself; nil for none.
    func mark(_ name: String) throws(DatabaseError) -> String? {
        try database.first("SELECT value FROM marks WHERE name = \(name)") { (row) throws(DatabaseError) in
            try row.text(0)
        }
    }

    func setMark(_ name: String, _ value: String?) throws(DatabaseError) {
        if let value {
            try database.run("INSERT OR REPLACE INTO marks VALUES (\(name), \(value))")
        } else {
            try database.run("DELETE FROM marks WHERE name = \(name)")
        }
    }

    // MARK: - Texts

    /// A text as it is compared: upper and lower case are the same.
    static func folded(_ text: String) -> String { text.lowercased() }

    private static func folded(_ room: RecordingManifest.Room) -> String {
        folded(room.description + "\n" + room.address)
    }
}
