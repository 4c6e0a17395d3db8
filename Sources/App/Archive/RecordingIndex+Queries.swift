import Database
import JSON
package import MediaTypes
package import RecordingFormat

/// Which recordings are wanted: those that everything set here is true of.
package struct RecordingFilter: Hashable, Sendable {
    /// A part of the room's address or of its own words for itself, in any case.
    package var room: String?
    /// Somebody's id, or a part of their name, in any case.
    package var person: String?
    /// Started at this moment or later.
    package var from: WallTime?
    /// Started before this moment.
    package var to: WallTime?
    package var grade: Verdict.Grade?
    package var state: ArchivedRecording.State?
    package var isHeld: Bool?
    /// Words of the chat, of marks or of names.
    package var words: SearchWords?
    /// The beginning of an id.
    package var id: String?

    package init() {}
}

package enum RecordingOrder: String, CaseIterable, Sendable {
    /// The newest first.
    case start
    /// The longest first.
    case duration
    /// The largest first.
    case size
}

/// A part of a long answer.
package struct Page<Element: Hashable & Sendable>: Hashable, Sendable {
    package var elements: [Element]
    /// Where the next part begins; nil after the last one.
    package var next: PageCursor?
}

/// A place in a long answer, which stays the same when recordings come or go in between.
package struct PageCursor: Hashable, Sendable, CustomStringConvertible {
    /// What it is sorted by, and the number that tells the rest apart.
    var key: Int64
    var number: Int64

    init(key: Int64, number: Int64) {
        self.key = key
        self.number = number
    }

    /// Nil for what is no cursor.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let key = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
        self.init(key: key, number: number)
    }

    package var description: String { "\(key).\(number)" }
}

extension RecordingIndex {
    private static let columns: SQL = """
        r.number, r.folder, r.id, r.room_address, r.room_description, r.started, r.duration, r.state, r.grade, r.reasons,
        r.problem, r.bytes, r.people, r.held, r.source
        """
    private static let columnCount = 15

    private static func recording(_ row: borrowing Row, from column: Int) throws(DatabaseError) -> ArchivedRecording {
        var recording = ArchivedRecording(
            folder: try row.text(column + 1), id: try row.text(column + 2),
            room: .init(address: try row.text(column + 3), description: try row.text(column + 4)),
            start: try row.optionalInteger(column + 5).map { WallTime(microseconds: $0) },
            state: ArchivedRecording.State(rawValue: try row.text(column + 7)) ?? .damaged,
            bytes: try row.integer(column + 11), people: Int(try row.integer(column + 12)),
            isHeld: try row.flag(column + 13))
        recording.duration = try row.optionalInteger(column + 6).map { .microseconds($0) }
        recording.grade = try row.optionalText(column + 8).flatMap { Verdict.Grade(rawValue: $0) }
        let reasons = try? JSONValue(parsing: try row.text(column + 9))
        recording.reasons = reasons?.array?.compactMap(\.string) ?? []
        recording.problem = try row.optionalText(column + 10)
        recording.source = try row.optionalText(column + 14)
        return recording
    }

    // MARK: - Recordings

    /// - Parameters:
    ///   - limit: how many at most; nil: all.
    ///   - cursor: where to go on.
    func recordings(
        _ filter: RecordingFilter = .init(), order: RecordingOrder = .start, isReversed: Bool = false,
        limit: Int? = nil, after cursor: PageCursor? = nil
    ) throws(DatabaseError) -> Page<ArchivedRecording> {
        var conditions = Self.conditions(filter)
        let key: SQL =
            switch order {
            case .start: "r.number"
            case .duration: "coalesce(r.duration, -1)"
            case .size: "r.bytes"
            }
        if let cursor {
            conditions.append(
                isReversed
                    ? "(\(key), r.number) > (\(cursor.key), \(cursor.number))"
                    : "(\(key), r.number) < (\(cursor.key), \(cursor.number))")
        }
        let direction: SQL = isReversed ? "ASC" : "DESC"
        let sorting: SQL = order == .start ? "r.number \(direction)" : "\(key) \(direction), r.number \(direction)"
        let found = try database.rows(
            """
            SELECT \(Self.columns), \(key) FROM recordings r WHERE \(.all(conditions)) ORDER BY \(sorting)
            LIMIT \(limit.map { $0 + 1 } ?? -1)
            """
        ) { (row) throws(DatabaseError) in
            let cursor = PageCursor(key: try row.integer(Self.columnCount), number: try row.integer(0))
            return (recording: try Self.recording(row, from: 0), cursor: cursor)
        }
        return Self.page(found.map { ($0.recording, $0.cursor) }, limit: limit)
    }

    /// How many there are, and how many bytes they have together.
    func totals(_ filter: RecordingFilter = .init()) throws(DatabaseError) -> (count: Int, bytes: Int64) {
        let found = try database.first(
            "SELECT count(*), coalesce(sum(r.bytes), 0) FROM recordings r WHERE \(.all(Self.conditions(filter)))"
        ) { (row) throws(DatabaseError) in (Int(try row.integer(0)), try row.integer(1)) }
        return found ?? (0, 0)
    }

    /// The recording of a folder.
    func recording(inFolder folder: String) throws(DatabaseError) -> ArchivedRecording? {
        try database.first("SELECT \(Self.columns) FROM recordings r WHERE r.folder = \(folder)") {
            (row) throws(DatabaseError) in try Self.recording(row, from: 0)
        }
    }

    private static func conditions(_ filter: RecordingFilter) -> [SQL] {
        var conditions: [SQL] = []
        if let room = filter.room { conditions.append("instr(r.room_folded, \(folded(room))) > 0") }
        if let person = filter.person {
            conditions.append(
                """
                r.number IN (SELECT recording FROM people
                  WHERE id = \(person) OR instr(folded, \(folded(person))) > 0)
                """)
        }
        if let from = filter.from { conditions.append("r.started >= \(from.microseconds)") }
        if let to = filter.to { conditions.append("r.started < \(to.microseconds)") }
        if let grade = filter.grade { conditions.append("r.grade = \(grade.rawValue)") }
        if let state = filter.state { conditions.append("r.state = \(state.rawValue)") }
        if let isHeld = filter.isHeld { conditions.append("r.held = \(isHeld)") }
        if let id = filter.id {
            conditions.append("r.id >= \(id) AND substr(r.id, 1, \(id.unicodeScalars.count)) = \(id)")
        }
        if let words = filter.words {
            conditions.append(
                words.isEmpty
                    ? "FALSE"
                    : """
                    r.number IN (SELECT rowid / \(IndexSchema.linesPerRecording) FROM words
                      WHERE words MATCH \(words.expression))
                    """)
        }
        return conditions
    }

    // MARK: - Lines

    /// Lines with all the words: the newest recording's first, and of each in their order.
    func lines(
        with words: SearchWords, in filter: RecordingFilter = .init(), kinds: Set<FoundLine.Kind> = [],
        limit: Int, after cursor: PageCursor? = nil
    ) throws(DatabaseError) -> Page<FoundLine> {
        guard !words.isEmpty else { return Page(elements: []) }
        var conditions: [SQL] = ["words MATCH \(words.expression)"]
        // By the lines' numbers, too: so the full text is not gone through where nothing can be.
        if let from = filter.from {
            conditions.append("words.rowid >= \(Self.lines(of: Self.number(of: from)).lowerBound)")
        }
        if let to = filter.to {
            // Some may have got a number a little later than their start.
            conditions.append("words.rowid < \(Self.lines(of: Self.number(of: to) + 1000).lowerBound)")
        }
        if let cursor { conditions.append("words.rowid < \(cursor.number)") }
        if !kinds.isEmpty {
            let matches = kinds.map(\.rawValue).sorted().map { (kind) -> SQL in "l.kind = \(kind)" }
            conditions.append(matches.dropFirst().reduce(matches[0]) { "\($0) OR \($1)" })
        }
        if let person = filter.person {
            conditions.append("instr(lower(l.person), \(Self.folded(person))) > 0 OR instr(l.person, \(person)) > 0")
        }
        var others = filter
        others.person = nil
        conditions += Self.conditions(others)
        // To find the best part takes the square of how often the words are in it: not for long questions.
        let longExcerpt: SQL =
            words.phrases.count <= 4 ? "snippet(words, 0, '', '', '…', 24)" : "substr(l.text, 1, 200) || '…'"
        let found = try database.rows(
            """
            SELECT \(Self.columns), l.number, l.at, l.kind, l.person,
            CASE WHEN length(l.text) <= 240 THEN l.text ELSE \(longExcerpt) END
            FROM words CROSS JOIN lines l ON l.number = words.rowid
            CROSS JOIN recordings r ON r.number = l.number / \(IndexSchema.linesPerRecording)
            WHERE \(.all(conditions)) ORDER BY words.rowid DESC LIMIT \(limit + 1)
            """
        ) { (row) throws(DatabaseError) in
            let first = Self.columnCount
            let line = FoundLine(
                recording: try Self.recording(row, from: 0), at: TimelineTime(microseconds: try row.integer(first + 1)),
                kind: FoundLine.Kind(rawValue: try row.text(first + 2)) ?? .message,
                person: try row.optionalText(first + 3), excerpt: try row.text(first + 4))
            return (line: line, cursor: PageCursor(key: 0, number: try row.integer(first)))
        }
        return Self.page(found.map { ($0.line, $0.cursor) }, limit: limit)
    }

    private static func page<Element>(_ found: [(Element, PageCursor)], limit: Int?) -> Page<Element> {
        guard let limit, found.count > limit else { return Page(elements: found.map(\.0)) }
        return Page(elements: found.prefix(limit).map(\.0), next: limit > 0 ? found[limit - 1].1 : nil)
    }
}
