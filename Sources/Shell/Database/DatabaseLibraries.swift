import CSQLite

/// The library behind the database.
package enum DatabaseLibraries {
    package static var versions: [(name: String, version: String)] {
        [("sqlite", String(cString: sqlite3_libversion()))]
    }
}
