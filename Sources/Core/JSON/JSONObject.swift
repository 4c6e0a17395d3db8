/// The members of a JSON object in the order in which they were written. Two objects are equal when they would be
/// written alike, so order counts.
package struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSONValue
    }

    package private(set) var members: [Member]

    package init() { members = [] }

    /// Takes members as they come; of those with the same key, the last one is found.
    package init(members: [Member]) { self.members = members }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member(key: $0.0, value: $0.1) }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    package var keys: [String] { members.map(\.key) }

    /// The value of a key. Setting keeps the place of a key that is there, appends a new one, and removes with nil.
    package subscript(key: String) -> JSONValue? {
        get { members.last { $0.key == key }?.value }
        set {
            let index = members.lastIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}
