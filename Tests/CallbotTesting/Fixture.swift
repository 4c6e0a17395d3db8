import Foundation

/// The files under `Tests/Fixtures`, which are named for what they are.
package enum Fixture {
    package static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appending(path: "Fixtures/\(name)")))
    }

    package static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
}
