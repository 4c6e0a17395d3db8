import Database

/// What the index is made of. It holds nothing that is not in the recordings' folders, so whatever happens to it, it is
/// made again.
enum IndexSchema {
    /// "cbix": what is no index of ours is not touched by its statements.
    static let application: Int32 = 0x6362_6978

    /// Lines of a recording have numbers from here down, below those of later recordings: so the newest recording's come
    /// first when they are taken from the highest down, and each recording's in their order.
    static let linesPerRecording: Int64 = 1 << 21

    static let steps: [[SQL]] = [
        [
            // The number is the start in milliseconds, or the next one that is free.
            """
            CREATE TABLE recordings (
              number INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, parent TEXT NOT NULL, id TEXT NOT NULL,
              room_address TEXT NOT NULL, room_description TEXT NOT NULL, room_folded TEXT NOT NULL,
              started INTEGER, duration INTEGER, state TEXT NOT NULL, grade TEXT, reasons TEXT NOT NULL, problem TEXT,
              bytes INTEGER NOT NULL, people INTEGER NOT NULL, held INTEGER NOT NULL, source TEXT,
              stamp_folder INTEGER NOT NULL, stamp_inode INTEGER NOT NULL, stamp_manifest INTEGER NOT NULL,
              stamp_bytes INTEGER NOT NULL, settled INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX recordings_by_id ON recordings (id)",
            "CREATE INDEX recordings_by_parent ON recordings (parent)",
            "CREATE INDEX recordings_unsettled ON recordings (number) WHERE settled = 0",
            """
            CREATE TABLE people (
              recording INTEGER NOT NULL REFERENCES recordings ON DELETE CASCADE, id TEXT NOT NULL, name TEXT NOT NULL,
              folded TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX people_by_recording ON people (recording)",
            """
            CREATE TABLE tracks (
              recording INTEGER NOT NULL REFERENCES recordings ON DELETE CASCADE, track INTEGER NOT NULL,
              participant TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, codec TEXT NOT NULL,
              started INTEGER NOT NULL, ended INTEGER, bytes INTEGER NOT NULL, file TEXT
            ) STRICT
            """,
            "CREATE INDEX tracks_by_recording ON tracks (recording)",
            """
            CREATE TABLE gaps (
              recording INTEGER NOT NULL REFERENCES recordings ON DELETE CASCADE, track INTEGER, start INTEGER NOT NULL,
              finish INTEGER NOT NULL, reason TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX gaps_by_recording ON gaps (recording)",
            """
            CREATE TABLE lines (
              number INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, person TEXT, text TEXT NOT NULL
            ) STRICT
            """,
            """
            CREATE VIRTUAL TABLE words USING fts5(
              text, content = 'lines', content_rowid = 'number', columnsize = 0, prefix = '1 2 3 4',
              tokenize = 'unicode61 remove_diacritics 2'
            )
            """,
            // Folders between the archive's and the recordings'.
            """
            CREATE TABLE folders (
              path TEXT PRIMARY KEY, parent TEXT NOT NULL, modified INTEGER NOT NULL, inode INTEGER NOT NULL,
              settled INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
        ]
    ]
}
