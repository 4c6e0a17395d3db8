import Composition
package import JSON

extension LayoutChoice.Layout {
    /// As it is in recordings: its name, or an object with its regions.
    package var json: JSONValue {
        switch self {
        case .named(let name): JSONValue(name.rawValue)
        case .regions(let regions): regions.json
        }
    }

    /// Nil for what is no layout.
    package init?(_ json: JSONValue) {
        if let name = json.string {
            guard let name = LayoutName(rawValue: name) else { return nil }
            self = .named(name)
        } else {
            guard let regions = try? RegionLayout(parsing: json.compactUTF8) else { return nil }
            self = .regions(regions)
        }
    }
}
