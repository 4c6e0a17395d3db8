import JSON
import Recording

extension RenderCommand.Request {
    /// Takes over who is where and what it looks like from what was asked for when the call was recorded, except what
    /// this command line says itself. Size, pictures a second, bit rates and codec are not taken over. What cannot be
    /// understood is passed over.
    mutating func inherit(_ recipe: JSONValue) {
        let look: [Setting<CompositeRecipe>] = CompositeRecipe.lookSettings {
            (recipe, change) throws(InvalidValue) in try change(&recipe)
        }
        // A recording says all by itself: no file and no variable is looked up for it.
        let nothing = Environment(
            variable: { _ in nil }, contents: { (_) throws(Environment.Unreadable) in throw .init(reason: "not here") })
        for setting in look where !given.contains(setting.name) {
            guard let key = setting.key, let value = recipe[key], let argument = setting.argument(value) else {
                continue
            }
            try? setting.set(&composite, argument, nothing)
        }
    }

    /// Whether the layout changes where it did during the call: unless another one is asked for.
    var followsLayoutChanges: Bool { given.isDisjoint(with: ["layout", "full", "pinned"]) }
}
