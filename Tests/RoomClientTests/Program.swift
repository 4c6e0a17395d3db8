import CallbotTesting
import Foundation

/// A program of the tree's `recipes/rooms`, run for a test.
struct Program {
    struct Failed: Error { let words: [String] }

    private static let rooms = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "recipes/rooms").path

    private let process: ChildProcess

    /// Starts it, with its output thrown away.
    init(_ words: String...) throws { process = try ChildProcess(Self.located(words)) }

    /// Ends it, and waits for that.
    func stop() { process.stop() }

    /// Runs it to its end, and gives what it wrote.
    @discardableResult
    static func output(_ words: [String]) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "callbot-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard try ChildProcess(located(words), output: file.path).succeeds() else { throw Failed(words: words) }
        return try Data(contentsOf: file)
    }

    private static func located(_ words: [String]) -> [String] { [rooms + "/" + words[0]] + words.dropFirst() }
}
