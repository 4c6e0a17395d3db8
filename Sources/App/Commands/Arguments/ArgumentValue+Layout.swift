package import Composition
package import JSON
package import MediaEngines
import MediaTypes
package import Rendering

extension LayoutName: ArgumentValue {}

/// A layout by name, or a file with one of the user's own; in a recipe also one of the user's own itself.
extension LayoutChoice.Layout: ArgumentValue {
    package static var choices: [String] { LayoutName.choices }

    package static func argument(from value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .object: value.compact
        default: nil
        }
    }

    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> LayoutChoice.Layout {
        if text.hasPrefix("{") { return .regions(try regions(Array(text.utf8), at: "")) }
        guard text.contains("/") || text.hasSuffix(".json5") || text.hasSuffix(".json") else {
            return .named(try LayoutName.parse(text, in: environment))
        }
        let path = environment.resolve(text)
        let bytes: [UInt8]
        do {
            bytes = try environment.contents(path)
        } catch {
            throw InvalidValue("names the file \(path), which cannot be read: \(error.reason)")
        }
        return .regions(try regions(bytes, at: "\(path):"))
    }

    private static func regions(_ text: [UInt8], at place: String) throws(InvalidValue) -> RegionLayout {
        do {
            return try RegionLayout(parsing: text)
        } catch {
            throw InvalidValue("is no layout: \(place)\(error.line):\(error.column): \(error.reason)")
        }
    }
}

/// `fit` or `crop`.
enum ContentModeArgument: String, CaseIterable, ArgumentValue {
    case fit, crop
    var mode: Tile.ContentMode { self == .fit ? .fit : .crop }
}

/// `scale`, `reflow`, `page` or `page:TIME`.
struct OverflowArgument: ArgumentValue {
    let policy: OverflowPolicy

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> OverflowArgument {
        switch text {
        case "scale": return OverflowArgument(policy: .scale)
        case "reflow": return OverflowArgument(policy: .reflow)
        case "page": return OverflowArgument(policy: .page(every: .seconds(10)))
        default:
            guard let pace = text.suffix(after: "page:") else {
                throw InvalidValue("must be scale, reflow, page or page:TIME, such as page:15s")
            }
            return OverflowArgument(policy: .page(every: try Duration.parse(pace, in: environment)))
        }
    }
}

/// `#RRGGBB`; also without the number sign, which a shell takes for a comment.
extension Colour: ArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Colour {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) else {
            throw InvalidValue("must be a colour such as #101114")
        }
        return Colour(number)
    }
}
