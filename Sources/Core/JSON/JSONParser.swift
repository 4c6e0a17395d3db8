/// Recursive descent over UTF-8, for both dialects and both kinds of tree. Here are the reading of characters and the
/// structure; strings and numbers have files of their own.
struct JSONParser<Tree: JSONTree> {
    let bytes: [UInt8]
    let dialect: JSONDialect
    var index = 0
    private var depth = 0
    private var counter = PositionCounter()

    init(_ bytes: [UInt8], dialect: JSONDialect) {
        self.bytes = bytes
        self.dialect = dialect
    }

    var isJSON5: Bool { dialect == .json5 }

    /// The next byte, nil at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func byte(at index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    /// Steps over the byte if it is the next one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    mutating func error(_ reason: String, at index: Int) -> JSONError {
        JSONError(reason, at: counter.position(at: index, in: bytes))
    }

    /// An error about what comes next.
    mutating func unexpected(expected: String) -> JSONError {
        let found: String
        if let next {
            let scalar = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self).unicodeScalars
                .first
            found = next < 0x20 ? "a control character" : "'\(scalar.map { String(Character($0)) } ?? "?")'"
        } else {
            found = "the end"
        }
        return error("expected \(expected), found \(found)", at: index)
    }

    mutating func parseDocument() throws(JSONError) -> Tree {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        try skipSpace()
        let tree = try parseValue()
        try skipSpace()
        guard next == nil else { throw unexpected(expected: "the end") }
        return tree
    }

    private mutating func position() -> JSONPosition {
        Tree.keepsPositions ? counter.position(at: index, in: bytes) : JSONPosition(line: 0, column: 0)
    }

    private mutating func parseValue() throws(JSONError) -> Tree {
        let position = position()
        switch next {
        case UInt8(ascii: "{"):
            return .object(try nested { (p) throws(JSONError) in try p.parseMembers() }, at: position)
        case UInt8(ascii: "["):
            return .array(try nested { (p) throws(JSONError) in try p.parseElements() }, at: position)
        case UInt8(ascii: "\""): return .scalar(.string(try parseString()), at: position)
        case UInt8(ascii: "'") where isJSON5: return .scalar(.string(try parseString()), at: position)
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"):
            return .scalar(try parseNumber(), at: position)
        case UInt8(ascii: "+") where isJSON5, UInt8(ascii: ".") where isJSON5:
            return .scalar(try parseNumber(), at: position)
        default: return .scalar(try parseWord(), at: position)
        }
    }

    private mutating func nested<Parts>(
        _ parse: (inout Self) throws(JSONError) -> Parts
    ) throws(JSONError) -> Parts {
        guard depth < JSONValue.maximumDepth else {
            throw error("nested deeper than \(JSONValue.maximumDepth) levels", at: index)
        }
        depth += 1
        defer { depth -= 1 }
        index += 1
        return try parse(&self)
    }

    private mutating func parseElements() throws(JSONError) -> [Tree] {
        var elements: [Tree] = []
        try skipSpace()
        if skip(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try parseValue())
            if try endOfList(UInt8(ascii: "]")) { return elements }
        }
    }

    private mutating func parseMembers() throws(JSONError) -> [JSONTreeMember<Tree>] {
        var members: [JSONTreeMember<Tree>] = []
        var keys: Set<String> = []
        try skipSpace()
        if skip(UInt8(ascii: "}")) { return members }
        while true {
            let keyIndex = index
            let keyPosition = position()
            let key = try parseKey()
            if isJSON5, !keys.insert(key).inserted { throw error("the key '\(key)' is here twice", at: keyIndex) }
            try skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw unexpected(expected: "':'") }
            try skipSpace()
            members.append(JSONTreeMember(key: key, keyPosition: keyPosition, tree: try parseValue()))
            if try endOfList(UInt8(ascii: "}")) { return members }
        }
    }

    /// Steps over a comma or the closing bracket, and says whether it was the latter.
    private mutating func endOfList(_ close: UInt8) throws(JSONError) -> Bool {
        try skipSpace()
        if skip(close) { return true }
        guard skip(UInt8(ascii: ",")) else {
            throw unexpected(expected: "',' or '\(Character(Unicode.Scalar(close)))'")
        }
        try skipSpace()
        return isJSON5 && skip(close)
    }

    private mutating func parseKey() throws(JSONError) -> String {
        switch next {
        case UInt8(ascii: "\""): return try parseString()
        case UInt8(ascii: "'") where isJSON5: return try parseString()
        default:
            guard isJSON5, let word = scanWord() else { throw unexpected(expected: "a key") }
            return word
        }
    }

    /// `true`, `false` or `null`.
    private mutating func parseWord() throws(JSONError) -> JSONValue {
        let start = index
        switch scanWord() {
        case "true": return true
        case "false": return false
        case "null": return nil
        case "Infinity", "NaN": throw error("a number must be finite", at: start)
        case let word?: throw error("unknown word '\(word)' (a string needs quotes)", at: start)
        case nil: throw unexpected(expected: "a value")
        }
    }

    /// An identifier as in ECMAScript, but every letter beyond ASCII is good and there are no escapes in it.
    private mutating func scanWord() -> String? {
        let start = index
        while let byte = next, byte.isWordStart || (byte.isDigit && index > start) { index += 1 }
        guard index > start, let word = String(validating: bytes[start..<index], as: UTF8.self) else {
            index = start
            return nil
        }
        return word
    }

    /// Steps over white space and, in JSON5, comments.
    mutating func skipSpace() throws(JSONError) {
        while let byte = next {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case 0x0B where isJSON5, 0x0C where isJSON5: index += 1
            case 0xC2 where isJSON5 && self.byte(at: index + 1) == 0xA0: index += 2
            case 0xEF where isJSON5 && self.byte(at: index + 1) == 0xBB && self.byte(at: index + 2) == 0xBF: index += 3
            case 0xE2 where isJSON5 && isLineOrParagraphSeparator(at: index): index += 3
            case UInt8(ascii: "/") where isJSON5: try skipComment()
            default: return
            }
        }
    }

    /// U+2028 or U+2029, which JSON5 takes for line ends. Editors do not, so they are not counted as lines here.
    func isLineOrParagraphSeparator(at index: Int) -> Bool {
        byte(at: index) == 0xE2 && byte(at: index + 1) == 0x80 && (byte(at: index + 2) ?? 0) & 0xFE == 0xA8
    }

    private mutating func skipComment() throws(JSONError) {
        let start = index
        switch byte(at: index + 1) {
        case UInt8(ascii: "/"):
            while let byte = next, byte != 0x0A, byte != 0x0D { index += 1 }
        case UInt8(ascii: "*"):
            index += 2
            while next != UInt8(ascii: "*") || byte(at: index + 1) != UInt8(ascii: "/") {
                guard next != nil else { throw error("the comment does not end", at: start) }
                index += 1
            }
            index += 2
        default: throw unexpected(expected: "a value or a comment")
        }
    }
}

/// Turns places in the text into lines and columns. Counts on from the place it was asked for last, so that asking for
/// each value of a text in turn reads the text once.
private struct PositionCounter {
    private var index = 0
    private var position = JSONPosition(line: 1, column: 1)

    mutating func position(at target: Int, in bytes: [UInt8]) -> JSONPosition {
        if target < index { self = PositionCounter() }
        while index < target {
            let byte = bytes[index]
            let isCRLF = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
            if byte == 0x0A || (byte == 0x0D && !isCRLF) {
                position = JSONPosition(line: position.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
            index += 1
        }
        return position
    }
}
