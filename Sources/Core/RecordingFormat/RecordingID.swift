package import MediaTypes

/// A recording's name in the archive: `20261130T040728Z-k3f9`. Sorts by the time of its start.
package struct RecordingID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let value: String

    package init(_ value: String) { self.value = value }

    /// A new one: the start to the second, and four characters so that two that start together differ.
    package init(startingAt start: WallTime, using generator: inout some RandomNumberGenerator) {
        // Without the letters that are mistaken for digits or for each other.
        let alphabet = Array("23456789abcdefghjkmnpqrstvwxyz")
        let tail = (0..<4).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        let time = start.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }
        value = "\(time)Z-\(String(tail))"
    }

    package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
    package var description: String { value }
}
