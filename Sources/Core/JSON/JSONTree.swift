/// What the parser can build: plain values, or values that know where they stood.
protocol JSONTree {
    /// Whether positions are wanted; when not, none are counted and all are 0.
    static var keepsPositions: Bool { get }
    static func scalar(_ value: JSONValue, at position: JSONPosition) -> Self
    static func array(_ elements: [Self], at position: JSONPosition) -> Self
    static func object(_ members: [JSONTreeMember<Self>], at position: JSONPosition) -> Self
}

/// One member of an object, just parsed.
struct JSONTreeMember<Tree> {
    var key: String
    var keyPosition: JSONPosition
    var tree: Tree
}

extension JSONValue: JSONTree {
    static var keepsPositions: Bool { false }
    static func scalar(_ value: JSONValue, at position: JSONPosition) -> JSONValue { value }
    static func array(_ elements: [JSONValue], at position: JSONPosition) -> JSONValue { .array(elements) }
    static func object(_ members: [JSONTreeMember<JSONValue>], at position: JSONPosition) -> JSONValue {
        .object(JSONObject(members: members.map { JSONObject.Member(key: $0.key, value: $0.tree) }))
    }
}

extension JSONNode: JSONTree {
    static var keepsPositions: Bool { true }
    static func scalar(_ value: JSONValue, at position: JSONPosition) -> JSONNode {
        JSONNode(.scalar(value), at: position)
    }
    static func array(_ elements: [JSONNode], at position: JSONPosition) -> JSONNode {
        JSONNode(.array(elements), at: position)
    }
    static func object(_ members: [JSONTreeMember<JSONNode>], at position: JSONPosition) -> JSONNode {
        JSONNode(.object(members.map { Member(key: $0.key, keyPosition: $0.keyPosition, node: $0.tree) }), at: position)
    }
}
