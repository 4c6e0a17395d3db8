/// A value that knows where it stood in its text, so that whoever reads a file can say "line 7" about anything in it.
package struct JSONNode: Hashable, Sendable, JSONReadable {
    package struct Member: Hashable, Sendable {
        package var key: String
        package var keyPosition: JSONPosition
        package var node: JSONNode
    }

    package enum Content: Hashable, Sendable {
        /// null, a boolean, a number or a string.
        case scalar(JSONValue)
        case array([JSONNode])
        case object([Member])
    }

    package var content: Content
    package var position: JSONPosition

    package init(_ content: Content, at position: JSONPosition) {
        self.content = content
        self.position = position
    }

    /// The same without positions.
    package var value: JSONValue {
        switch content {
        case .scalar(let value): value
        case .array(let nodes): .array(nodes.map(\.value))
        case .object(let members):
            .object(JSONObject(members: members.map { JSONObject.Member(key: $0.key, value: $0.node.value) }))
        }
    }

    package var array: [JSONNode]? { if case .array(let nodes) = content { nodes } else { nil } }

    package var members: [Member]? { if case .object(let members) = content { members } else { nil } }

    package subscript(key: String) -> JSONNode? { members?.last { $0.key == key }?.node }

    package subscript(index: Int) -> JSONNode? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// An error about this value.
    package func error(_ reason: String) -> JSONError { JSONError(reason, at: position) }

    /// Throws about the first key of this object that is not among the known ones, and suggests the one that may have
    /// been meant. Throws as well when this is no object.
    package func requireKeys(among known: [String]) throws(JSONError) {
        guard let members else { throw error("expected an object, found \(value.kind)") }
        for member in members where !known.contains(member.key) {
            let suggestion = Spelling.suggestion(for: member.key, among: known)
            throw JSONError(
                "unknown key '\(member.key)'" + (suggestion.map { " (did you mean '\($0)'?)" } ?? ""),
                at: member.keyPosition)
        }
    }
}
