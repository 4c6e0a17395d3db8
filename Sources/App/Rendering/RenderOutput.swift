package import Storage

/// Where a rendering's bytes go. What is appended or patched is never read back.
package protocol RenderOutput: AnyObject {
    func append(_ bytes: [UInt8]) throws
    /// Puts bytes over those at an offset, all of them within what was appended.
    func patch(offset: Int64, _ bytes: [UInt8]) throws
}

extension AppendFile: RenderOutput {}
