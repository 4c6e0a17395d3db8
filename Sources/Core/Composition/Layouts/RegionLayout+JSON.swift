package import JSON

extension RegionLayout {
    /// Reads a layout from JSON5: an object with `regions` and, for all of them, `contentMode` and `gap`. The error
    /// says where and why it cannot be followed.
    package init(parsing text: [UInt8]) throws(JSONError) {
        try self.init(JSONNode(parsing: text, as: .json5))
    }

    private init(_ node: JSONNode) throws(JSONError) {
        try node.requireKeys(among: ["contentMode", "gap", "regions"])
        let mode = try node["contentMode"]?.choice("contentMode", among: Tile.ContentMode.names) ?? .fit
        guard let list = node["regions"] else { throw node.error("regions are missing: a layout is a list of them") }
        guard let nodes = list.array, !nodes.isEmpty else {
            throw list.error("regions must be a list of at least one region")
        }
        var regions: [Region] = []
        for node in nodes {
            let region = try Region(node, contentMode: mode)
            if regions.contains(where: { $0.name == region.name }) {
                throw (node["name"] ?? node).error("there is a region '\(region.name)' already")
            }
            if [.rest, .speaking].contains(region.who), let other = regions.first(where: { $0.who == region.who }) {
                let who = region.who == .rest ? "the rest" : "who speaks"
                throw (node["who"] ?? node).error("region '\(other.name)' shows \(who) already")
            }
            regions.append(region)
        }
        self.init(regions: regions)
        if let node = node["gap"] {
            guard let gap = node.int, 0...200 ~= gap else { throw node.error("gap must be 0 to 200 pixels") }
            self.gap = gap
        }
    }
}

extension RegionLayout {
    /// The layout as it can be read again.
    package var json: JSONValue { ["gap": JSONValue(gap), "regions": .array(regions.map(\.json))] }
}

extension Region {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "x": .number(fractions.x), "y": .number(fractions.y),
            "width": .number(fractions.width), "height": .number(fractions.height), "who": who.json,
            "contentMode": .string(contentMode.name), "whenEmpty": .string(whenEmpty.rawValue),
        ]
    }

    fileprivate init(_ node: JSONNode, contentMode: Tile.ContentMode) throws(JSONError) {
        try node.requireKeys(among: ["name", "x", "y", "width", "height", "who", "contentMode", "whenEmpty"])
        guard let name = node["name"]?.string, !name.isEmpty else {
            throw (node["name"] ?? node).error("a region needs a name, which is text that is not empty")
        }
        guard let who = node["who"] else {
            throw node.error(
                "region '\(name)' does not say who is shown: who is \"speaking\", \"rest\", or {name, arrival, role, source}"
            )
        }
        self.init(
            name: name, fractions: try FractionalRectangle(node, of: name), who: try Who(who),
            contentMode: try node["contentMode"]?.choice("contentMode", among: Tile.ContentMode.names) ?? contentMode,
            whenEmpty: try node["whenEmpty"]?.choice("whenEmpty", among: Emptiness.names) ?? .nothing)
    }
}

extension FractionalRectangle {
    fileprivate init(_ node: JSONNode, of name: String) throws(JSONError) {
        func fraction(_ key: String) throws(JSONError) -> Double {
            guard let value = node[key] else { throw node.error("region '\(name)' has no \(key)") }
            guard let number = value.double, 0...1 ~= number else {
                throw value.error("\(key) must be a fraction of the canvas, 0 to 1")
            }
            return number
        }
        self.init(
            x: try fraction("x"), y: try fraction("y"), width: try fraction("width"), height: try fraction("height"))
        for (key, side, start, length) in [("width", "right", x, width), ("height", "bottom", y, height)] {
            if length == 0 { throw (node[key] ?? node).error("\(key) must be more than 0") }
            // Thirds and the like are written with a few digits.
            if start + length > 1.001 {
                throw (node[key] ?? node).error("region '\(name)' ends beyond the canvas's \(side) edge")
            }
        }
    }
}

extension Region.Who {
    fileprivate var json: JSONValue {
        func with(_ source: Region.Source?, _ key: String, _ value: JSONValue) -> JSONValue {
            var object: JSONObject = [key: value]
            object["source"] = source.map { .string($0.rawValue) }
            return .object(object)
        }
        return switch self {
        case .speaking: "speaking"
        case .rest: "rest"
        case .named(let name, let source): with(source, "name", .string(name))
        case .arrival(let number, let source): with(source, "arrival", JSONValue(number))
        case .role(let role, let source): with(source, "role", .string(role.rawValue))
        case .source(let source): ["source": .string(source.rawValue)]
        }
    }

    fileprivate init(_ node: JSONNode) throws(JSONError) {
        guard node.members != nil else {
            self = try node.choice("who", among: [("speaking", .speaking), ("rest", .rest)])
            return
        }
        try node.requireKeys(among: ["name", "arrival", "role", "source"])
        let source = try node["source"]?.choice("source", among: Region.Source.names)
        let told = [node["name"], node["arrival"], node["role"]].compactMap { $0 }
        if told.count > 1 { throw told[1].error("who is told by name, by arrival or by role, not by several of them") }
        if let name = node["name"] {
            guard let text = name.string, !text.isEmpty else { throw name.error("name must be text that is not empty") }
            self = .named(text, source)
        } else if let arrival = node["arrival"] {
            guard let number = arrival.int, number >= 1 else {
                throw arrival.error("arrival must be a whole number from 1")
            }
            self = .arrival(number, source)
        } else if let role = node["role"] {
            self = .role(try role.choice("role", among: Region.Role.names), source)
        } else if let source {
            self = .source(source)
        } else {
            throw node.error("who must say a name, an arrival, a role or a source")
        }
    }
}

extension JSONNode {
    /// One of a few words; the error suggests the one that may have been meant.
    fileprivate func choice<Choice>(
        _ key: String, among choices: [(name: String, choice: Choice)]
    ) throws(JSONError) -> Choice {
        if let choice = choices.first(where: { $0.name == string })?.choice { return choice }
        let names = choices.map(\.name)
        let expected = names.map { "'\($0)'" }.joined(separator: " or ")
        let suggestion = string.flatMap { Spelling.suggestion(for: $0, among: names) }
        throw error("\(key) must be \(expected)" + (suggestion.map { " (did you mean '\($0)'?)" } ?? ""))
    }
}

extension Tile.ContentMode {
    fileprivate static let names: [(name: String, choice: Self)] = [("fit", .fit), ("crop", .crop)]

    /// Its word in recipes and layouts.
    package var name: String { self == .fit ? "fit" : "crop" }
}

extension CaseIterable where Self: RawRepresentable<String> {
    fileprivate static var names: [(name: String, choice: Self)] { allCases.map { ($0.rawValue, $0) } }
}
