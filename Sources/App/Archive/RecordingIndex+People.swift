import Database

extension RecordingIndex {
    /// The names of some of the people who were in a recording, by its folder; their ids where they have none.
    func names(ofPeopleIn folder: String, most: Int) throws(DatabaseError) -> [String] {
        try database.rows(
            """
            SELECT CASE WHEN p.name = '' THEN p.id ELSE p.name END FROM people p
            JOIN recordings r ON r.number = p.recording WHERE r.folder = \(folder) ORDER BY p.rowid LIMIT \(most)
            """
        ) { (row) throws(DatabaseError) in try row.text(0) }
    }
}

extension Archive {
    /// The names of some of the people who were in recordings, of each.
    package func names(ofPeopleIn recordings: [ArchivedRecording], most: Int) throws(ArchiveError) -> [[String]] {
        try withIndex(refreshing: false) { (index) throws(DatabaseError) in
            var names: [[String]] = []
            for recording in recordings {
                names.append(try index.names(ofPeopleIn: recording.folder, most: most))
            }
            return names
        }
    }
}
