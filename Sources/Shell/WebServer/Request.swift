/// What somebody asks a web server for.
package struct Request: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// The path's segments, decoded. None is `.` or `..` or has a slash, a backslash or a control character in it; only the
    /// last may be empty, when the path ends in a slash. The root is one empty segment.
    package var path: [String]
    /// Decoded, in the order in which they were written.
    package var query: [QueryItem]
    package var headers: Headers
    /// No longer than the server's limit.
    package var body: [UInt8]

    package init(
        _ method: Method = .get, path: [String], query: [QueryItem] = [], headers: Headers = Headers(),
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The first value that the query has for a name.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// `name=value` in a query; a name alone has an empty value.
package struct QueryItem: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Header fields (RFC 9110 section 5) in the order in which they came. Names are compared without regard to case.
package struct Headers: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// The values of a name, joined by commas as a list is; nil when there is none. Setting replaces all of them.
    package subscript(name: String) -> String? {
        get {
            let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { add(name, newValue) }
        }
    }
}
