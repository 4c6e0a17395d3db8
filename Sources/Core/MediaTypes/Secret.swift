/// A pin, token or password. Whatever prints it, logs it or looks into it sees `<secret>`; the text itself is had only by
/// asking for it by name, so every place that does can be found.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// The text itself, for the one place that sends it.
    package func revealed() -> String { text }

    package var description: String { "<secret>" }
    package var debugDescription: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
