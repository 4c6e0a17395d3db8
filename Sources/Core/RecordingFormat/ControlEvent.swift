package import JSON

/// What whoever has a room recorded asked for while it was recorded. People are named as they were asked for: who is
/// meant is found when they are there.
package enum ControlEvent: Hashable, Sendable {
    /// From now on the composite has this layout: the name of one, or an object, one of the user's own.
    case layout(JSONValue)
    /// Who fills the canvas, a name or an id; nil for nobody.
    case full(String?)
    /// Who has the large place, whoever speaks, a name or an id; nil for nobody.
    case pinned(String?)
    /// A chapter begins.
    case mark(String)
}
