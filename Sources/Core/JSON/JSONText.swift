/// The text of a JSON object in the making, piece by piece: the same bytes as `JSONValue.pretty`, without a tree or a text of all
/// of it. Elements of its lists may have been written before and be kept elsewhere, as `Kept` says.
package struct JSONText<Kept: Sendable>: Sendable {
    package enum Piece: Sendable {
        case bytes([UInt8])
        /// What `listElement` gave for the element; without its first byte when it is the first of its list.
        case kept(Kept, isFirst: Bool)
    }

    private var pieces: [Piece] = []
    private var writer = JSONWriter(isPretty: true)
    private var memberCount = 0
    /// Of the list that is being written.
    private var elementCount = 0

    package init() { writer.bytes.append(UInt8(ascii: "{")) }

    package mutating func add(_ object: JSONObject) {
        for member in object.members {
            begin(member.key)
            writer.write(member.value, indentation: 1)
        }
    }

    /// A member that is a list; `body` appends its elements.
    package mutating func addList(_ key: String, _ body: (inout Self) -> Void) {
        begin(key)
        writer.bytes.append(UInt8(ascii: "["))
        elementCount = 0
        body(&self)
        if elementCount > 0 { writer.breakLine(1) }
        writer.bytes.append(UInt8(ascii: "]"))
    }

    package mutating func append(_ value: JSONValue) {
        writer.writeElement(value, isFirst: elementCount == 0)
        elementCount += 1
    }

    package mutating func append(kept: Kept) {
        takeBytes()
        pieces.append(.kept(kept, isFirst: elementCount == 0))
        elementCount += 1
    }

    /// All of it.
    package mutating func finish() -> [Piece] {
        writer.breakLine(0)
        writer.bytes += "}\n".utf8
        takeBytes()
        return pieces
    }

    private mutating func begin(_ key: String) {
        if memberCount > 0 { writer.bytes.append(UInt8(ascii: ",")) }
        memberCount += 1
        writer.breakLine(1)
        writer.write(key)
        writer.bytes += ": ".utf8
    }

    private mutating func takeBytes() {
        guard !writer.bytes.isEmpty else { return }
        pieces.append(.bytes(writer.bytes))
        writer.bytes = []
    }
}

extension JSONValue {
    /// Its text as an element of a list in a `JSONText`, with the comma before it.
    package var listElement: [UInt8] {
        var writer = JSONWriter(isPretty: true)
        writer.writeElement(self, isFirst: false)
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func writeElement(_ value: JSONValue, isFirst: Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        breakLine(2)
        write(value, indentation: 2)
    }
}
