import Foundation

/// A folder of its own for a test, removed with all that is in it when it is no longer held.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "callbot-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
