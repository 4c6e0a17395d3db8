/// Something that does not hold in a recording.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The file within the recording's folder.
    package var file: String
    package var text: String

    package init(_ file: String, _ text: String) {
        self.file = file
        self.text = text
    }

    package var description: String { "\(file): \(text)" }
}
