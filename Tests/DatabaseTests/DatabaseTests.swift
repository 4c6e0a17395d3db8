import CallbotTesting
import Glibc
import Testing

@testable import Database

struct DatabaseTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/a.sqlite3" }

    init() throws { folder = try TemporaryFolder() }

    /// Whatever a value contains stays a value.
    @Test(arguments: [
        "", "'; DROP TABLE t; --", "\"", "%", "_", "a\0b", "a\nb", "\u{202E}txt.exe", "👩‍👩‍👧", "?", "?1 :a @a $a",
        String(repeating: "x", count: 100_000),
    ])
    func valuesComeBackAsTheyWere(text: String) throws {
        let database = try Database(path)
        try database.run("CREATE TABLE t (text TEXT NOT NULL, number INTEGER, real REAL, bytes BLOB) STRICT")
        try database.run("INSERT INTO t VALUES (\(text), \(Int64.min), \(0.1), \(Array(text.utf8)))")
        let rows = try database.rows("SELECT text, number, real, bytes FROM t WHERE text = \(text)") { row in
            [row[0], row[1], row[2], row[3]]
        }
        #expect(rows == [[.text(text), .integer(.min), .real(0.1), .blob(Array(text.utf8))]])
    }

    @Test func statementsAreMadeOfPartsAndTheirValuesStayInOrder() throws {
        let conditions: [SQL] = ["a = \(1)", "b = \("two") OR b IS \(orNull: String?.none)"]
        let sql: SQL = "SELECT * FROM t WHERE \(SQL.all(conditions)) LIMIT \(3)"
        #expect(sql.text == "SELECT * FROM t WHERE (a = ?) AND (b = ? OR b IS ?) LIMIT ?")
        #expect(sql.values == [.integer(1), .text("two"), .null, .integer(3)])
        #expect(SQL.all([]).text == "TRUE")
    }

    @Test func aTransactionIsAllOrNothing() throws {
        let database = try Database()
        try database.run("CREATE TABLE t (a INTEGER PRIMARY KEY) STRICT")
        let error = #expect(throws: DatabaseError.self) {
            try database.transaction { () throws(DatabaseError) in
                try database.run("INSERT INTO t VALUES (1)")
                try database.transaction { () throws(DatabaseError) in
                    _ = try database.run("INSERT INTO t VALUES (2)")
                }
                try database.run("INSERT INTO t VALUES (1)")
            }
        }
        #expect(error?.cause == .constraint)
        #expect(try count(database) == 0)
        let changed = try database.transaction { () throws(DatabaseError) in
            try database.run("INSERT INTO t VALUES (1), (2)")
        }
        #expect(try changed == 2 && count(database) == 2)
    }

    private func count(_ database: Database) throws -> Int64? {
        try database.first("SELECT count(*) FROM t") { (row) throws(DatabaseError) in try row.integer(0) }
    }

    @Test func columnsHaveTypes() throws {
        let database = try Database()
        #expect(throws: DatabaseError.self) {
            try database.rows("SELECT 'text'") { (row) throws(DatabaseError) in try row.integer(0) }
        }
        #expect(throws: DatabaseError.self) {
            try database.rows("SELECT NULL") { (row) throws(DatabaseError) in try row.text(0) }
        }
        let nothing = try database.first("SELECT NULL") { (row) throws(DatabaseError) in try row.optionalText(0) }
        #expect(nothing == .some(nil))
        // The statement is whole again after an error in the middle of it.
        #expect(try database.rows("SELECT 'text'") { (row) throws(DatabaseError) in try row.text(0) } == ["text"])
    }

    @Test func aSchemaIsBroughtUpToDateOnce() throws {
        let steps: [[SQL]] = [["CREATE TABLE t (a INTEGER) STRICT"], ["ALTER TABLE t ADD COLUMN b TEXT"]]
        do {
            let database = try Database(path)
            try database.migrate([steps[0]])
            #expect(try database.version == 1)
            try database.setApplication(77)
        }
        let database = try Database(path, .existing)
        #expect(try database.application == 77)
        try database.migrate(steps)
        try database.migrate(steps)
        #expect(try database.version == 2)
        try database.run("INSERT INTO t VALUES (\(1), \("b"))")
        let error = #expect(throws: DatabaseError.self) { try database.migrate([steps[0]]) }
        #expect(error?.cause == .tooNew(2))
        // A step that fails leaves nothing of itself.
        #expect(throws: DatabaseError.self) {
            try database.migrate(steps + [["CREATE TABLE u (a INTEGER) STRICT"], ["nonsense"]])
        }
        #expect(try database.version == 2)
        #expect(throws: DatabaseError.self) { try database.run("SELECT * FROM u") }
    }

    @Test func whatIsNoDatabaseIsSaid() throws {
        let missing = #expect(throws: DatabaseError.self) { _ = try Database(path, .existing) }
        #expect(missing?.cause == .cannotOpen)
        let file = try #require(fopen(path, "w"))
        fputs(String(repeating: "this is no database. ", count: 100), file)
        fclose(file)
        let corrupt = #expect(throws: DatabaseError.self) { _ = try Database(path, .existing) }
        #expect(corrupt?.cause == .corrupt)
        #expect("\(corrupt!)".hasPrefix("cannot use the database \(path): it is damaged, or no database ("))
        symlink(folder.path + "/elsewhere", folder.path + "/link")
        #expect(throws: DatabaseError.self) { _ = try Database(folder.path + "/link", .creating) }
    }

    @Test func readersSeeTheOldStateUntilTheWriterIsDone() throws {
        let writer = try Database(path)
        try writer.run("CREATE TABLE t (a INTEGER) STRICT")
        let reader = try Database(path, .existing, busyTimeout: .milliseconds(1))
        try writer.transaction { () throws(DatabaseError) in
            try writer.run("INSERT INTO t VALUES (1)")
            let seen = try reader.first("SELECT count(*) FROM t") { (row) throws(DatabaseError) in try row.integer(0) }
            #expect(seen == 0)
            let error = #expect(throws: DatabaseError.self) { try reader.run("INSERT INTO t VALUES (2)") }
            #expect(error?.cause == .busy)
        }
        #expect(try count(reader) == 1)
    }

    @Test func theFilesArePrivate() throws {
        let old = umask(0)
        defer { umask(old) }
        let database = try Database(path)
        try database.run("CREATE TABLE t (a INTEGER) STRICT")
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            #expect(stat(name, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
        }
        #expect(try database.damage() == nil)
        withExtendedLifetime(database) {}
    }

    /// Accents are folded in the full-text index that callbot makes.
    @Test func thereIsFullTextSearch() throws {
        let database = try Database()
        try database.run("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'unicode61 remove_diacritics 2')")
        try database.run("INSERT INTO t VALUES (\("Crème brûlée"))")
        let found = try database.rows("SELECT text FROM t WHERE t MATCH \("\"creme\"")") { $0[0] }
        #expect(found == [.text("Crème brûlée")])
    }
}
