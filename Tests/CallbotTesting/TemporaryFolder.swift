import Foundation

/// A folder of its own for a test, removed with all that is in it when it is no longer held.
package final class TemporaryFolder {
    package let path: String

    /// - Parameter inMemory: whether it is where files are not written to a disk, on systems that have such a place.
    package init(inMemory: Bool = false) throws {
        let memory = "/dev/shm/"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory)
        path = (isThere ? memory : NSTemporaryDirectory()) + "callbot-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
