import JSON
import Recording

extension RecordArguments {
    /// Takes over what was asked for when a recording was begun, as its manifest keeps it. What cannot be understood is
    /// passed over.
    mutating func inherit(_ recipe: JSONValue) {
        // A recording says all by itself: no file and no variable is looked up for it.
        let nothing = Environment(
            variable: { _ in nil }, contents: { (_) throws(Environment.Unreadable) in throw .init(reason: "not here") })
        for setting in Self.settings.flatMap(\.settings) {
            guard let key = setting.key, let value = recipe[key] else { continue }
            for element in setting.reset == nil ? [value] : value.array ?? [value] {
                guard let argument = setting.argument(element), !argument.isEmpty else { continue }
                try? setting.set(&self, argument, nothing)
            }
        }
    }
}
