import CSQLite
import Glibc
import Storage

/// An SQLite database. Owned by one thread; several processes may have the same one open.
package final class Database {
    package enum Access: Sendable {
        /// One that is there.
        case existing
        /// One that is there, or a new one, with mode 0600.
        case creating
    }

    package let path: String
    private let connection: OpaquePointer
    /// Statements that nobody is running just now, by their text.
    private var idle: [String: Statement] = [:]
    private var isInTransaction = false

    /// Opens a database that is a file.
    /// - Parameter busyTimeout: how long to wait for another process that writes.
    package init(
        _ path: String, _ access: Access = .creating, busyTimeout: Duration = .seconds(10)
    ) throws(DatabaseError) {
        self.path = path
        // SQLite would make it as the umask lets it; its other files get the mode of this one.
        if access == .creating {
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                let number = errno
                throw DatabaseError(
                    number == ENOSPC ? .noSpace : [EACCES, EROFS, EPERM].contains(number) ? .readOnly : .cannotOpen,
                    path, String(cString: strerror(number)))
            }
            FolderOwner.give(descriptor, at: path)
            close(descriptor)
        }
        connection = try Self.open(path, SQLITE_OPEN_READWRITE)
        sqlite3_busy_timeout(connection, Int32(busyTimeout / .milliseconds(1)))
        try prepare()
        // In the write-ahead log readers do not wait for the writer, and the writer not for them.
        _ = try rows("PRAGMA journal_mode = WAL") { _ in }
        try run("PRAGMA synchronous = NORMAL")
    }

    /// A database in memory alone.
    package init() throws(DatabaseError) {
        path = ":memory:"
        connection = try Self.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
        try prepare()
    }

    /// A new database for nobody else until it is complete: fast, and worth nothing after a crash.
    package init(building path: String) throws(DatabaseError) {
        self.path = path
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseError(errno == ENOSPC ? .noSpace : .readOnly, path, String(cString: strerror(errno)))
        }
        FolderOwner.give(descriptor, at: path)
        close(descriptor)
        connection = try Self.open(path, SQLITE_OPEN_READWRITE)
        try prepare()
        _ = try rows("PRAGMA journal_mode = OFF") { _ in }
        try run("PRAGMA synchronous = OFF")
        _ = try rows("PRAGMA locking_mode = EXCLUSIVE") { _ in }
        try run("PRAGMA cache_size = -65536")
    }

    deinit {
        // Statements go before their connection does.
        idle.removeAll()
        sqlite3_close_v2(connection)
    }

    private static func open(_ path: String, _ flags: Int32) throws(DatabaseError) -> OpaquePointer {
        var connection: OpaquePointer?
        let code = sqlite3_open_v2(path, &connection, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let connection else {
            let error = DatabaseError(code, path, connection)
            sqlite3_close_v2(connection)
            throw error
        }
        return connection
    }

    private func prepare() throws(DatabaseError) {
        try run("PRAGMA foreign_keys = ON")
        // What a stranger has put into the schema is not to be run.
        try run("PRAGMA trusted_schema = OFF")
    }

    // MARK: - Statements

    /// Runs a statement that answers nothing.
    /// - Returns: how many rows it has changed.
    @discardableResult
    package func run(_ sql: SQL) throws(DatabaseError) -> Int {
        try each(sql) { (_) throws(DatabaseError) in true }
        return Int(sqlite3_changes64(connection))
    }

    /// All rows of an answer, read one by one.
    package func rows<Value>(
        _ sql: SQL, _ read: (borrowing Row) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> [Value] {
        var values: [Value] = []
        try each(sql) { (row) throws(DatabaseError) in
            values.append(try read(row))
            return true
        }
        return values
    }

    /// The first row of an answer; nil for none.
    package func first<Value>(
        _ sql: SQL, _ read: (borrowing Row) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value? {
        var value: Value?
        try each(sql) { (row) throws(DatabaseError) in
            value = try read(row)
            return false
        }
        return value
    }

    /// - Parameter visit: says whether to go on.
    private func each(_ sql: SQL, _ visit: (borrowing Row) throws(DatabaseError) -> Bool) throws(DatabaseError) {
        let statement =
            if let known = idle.removeValue(forKey: sql.text) { known } else {
                try Statement(sql.text, of: connection, at: path)
            }
        defer {
            statement.reset()
            idle[sql.text] = statement
        }
        try statement.bind(sql.values)
        while try statement.step() {
            guard try visit(Row(statement: statement)) else { return }
        }
    }

    // MARK: - Transactions

    /// Does everything of a piece or nothing of it. One within another is a part of that.
    package func transaction<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        guard !isInTransaction else { return try body() }
        // Whoever means to write says so at once: it cannot be refused in the middle then.
        try run("BEGIN IMMEDIATE")
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // Some errors have rolled it back already.
            if sqlite3_get_autocommit(connection) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    // MARK: - Versions

    /// Brings the schema to the last version: runs the steps that it has not taken yet (`user_version`), all or none.
    /// - Parameter steps: from each version to the next, from an empty database on.
    package func migrate(_ steps: [[SQL]]) throws(DatabaseError) {
        if try version == steps.count { return }
        try transaction { () throws(DatabaseError) in
            // Another process may have been quicker.
            let version = try self.version
            guard version <= steps.count else {
                throw DatabaseError(.tooNew(version), path, "version \(version)")
            }
            for statement in steps[version...].joined() { try run(statement) }
            // A pragma takes no bindings; this is a number of our own.
            try execute("PRAGMA user_version = \(steps.count)")
        }
    }

    package var version: Int {
        get throws(DatabaseError) {
            Int(try first("PRAGMA user_version") { (row) throws(DatabaseError) in try row.integer(0) } ?? 0)
        }
    }

    /// Whose database this is: a number that a program has written into it; 0 for none.
    package var application: Int32 {
        get throws(DatabaseError) {
            let number = try first("PRAGMA application_id") { (row) throws(DatabaseError) in try row.integer(0) }
            return Int32(truncatingIfNeeded: number ?? 0)
        }
    }

    package func setApplication(_ number: Int32) throws(DatabaseError) {
        try execute("PRAGMA application_id = \(number)")
    }

    /// What is wrong with the file, in SQLite's words; nil for nothing. Reads all of it.
    package func damage() throws(DatabaseError) -> String? {
        let words = try first("PRAGMA integrity_check(1)") { (row) throws(DatabaseError) in try row.text(0) }
        return words == "ok" ? nil : words
    }

    /// For what takes no bindings. Never for a text from outside.
    private func execute(_ text: String) throws(DatabaseError) {
        let code = sqlite3_exec(connection, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, path, connection) }
    }
}

/// A row of an answer, for as long as it is looked at.
package struct Row: ~Copyable {
    fileprivate let statement: Statement

    fileprivate init(statement: Statement) { self.statement = statement }

    /// - Parameter column: from 0.
    package func integer(_ column: Int) throws(DatabaseError) -> Int64 {
        guard case .integer(let number) = self[column] else { throw wrong(column, "an integer") }
        return number
    }

    package func text(_ column: Int) throws(DatabaseError) -> String {
        guard case .text(let text) = self[column] else { throw wrong(column, "a text") }
        return text
    }

    package func flag(_ column: Int) throws(DatabaseError) -> Bool { try integer(column) != 0 }

    /// Nil where there is none.
    package func optionalInteger(_ column: Int) throws(DatabaseError) -> Int64? {
        self[column] == .null ? nil : try integer(column)
    }

    /// Nil where there is none.
    package func optionalText(_ column: Int) throws(DatabaseError) -> String? {
        self[column] == .null ? nil : try text(column)
    }

    package subscript(column: Int) -> SQLValue { statement.value(Int32(column)) }

    private func wrong(_ column: Int, _ wanted: String) -> DatabaseError {
        DatabaseError(.wrongType, statement.path, "column \(column) is not \(wanted)")
    }
}

/// A prepared statement.
private final class Statement {
    let path: String
    private let connection: OpaquePointer
    private let statement: OpaquePointer

    init(_ text: String, of connection: OpaquePointer, at path: String) throws(DatabaseError) {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw DatabaseError(code, path, connection) }
        self.path = path
        self.connection = connection
        self.statement = statement
    }

    deinit { sqlite3_finalize(statement) }

    func bind(_ values: [SQLValue]) throws(DatabaseError) {
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code =
                switch value {
                case .null: sqlite3_bind_null(statement, place)
                case .integer(let number): sqlite3_bind_int64(statement, place, number)
                case .real(let number): sqlite3_bind_double(statement, place, number)
                case .text(let text): bind(text, at: place)
                case .blob(let bytes):
                    bytes.withUnsafeBytes {
                        // An empty array may have no address, which would mean NULL.
                        $0.isEmpty
                            ? sqlite3_bind_zeroblob(statement, place, 0)
                            : sqlite3_bind_blob64(statement, place, $0.baseAddress, UInt64($0.count), copied)
                    }
                }
            guard code == SQLITE_OK else { throw DatabaseError(code, path, connection) }
        }
    }

    private func bind(_ text: String, at place: Int32) -> Int32 {
        // The length counts, not a zero in the text. An empty one still has an address here: without, it would be NULL.
        text.withCString {
            sqlite3_bind_text64(statement, place, $0, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
        }
    }

    /// - Returns: whether there is a row.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, path, connection)
        }
    }

    /// Lets go of what the run held and was bound to.
    func reset() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    func value(_ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, column) else { return .text("") }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(statement, column) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }
}

extension DatabaseError {
    fileprivate init(_ code: Int32, _ path: String, _ connection: OpaquePointer?) {
        let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let cause: Cause =
            switch code & 0xFF {
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .corrupt
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .noSpace
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_CONSTRAINT: .constraint
            // A file that ends too early is a damaged one.
            case SQLITE_IOERR where code == SQLITE_IOERR | (2 << 8): .corrupt
            default: .other
            }
        self.init(cause, path, words.map { String(cString: $0) } ?? "error \(code)")
    }
}

/// SQLITE_TRANSIENT: SQLite makes a copy.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
