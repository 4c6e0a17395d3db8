import EventLoop
package import MediaTypes
package import Storage
import WebIO

/// Links that let whoever has one watch one recording, until a time: what stands in them is signed with a key that only
/// the daemon has. A new key makes all that were given out worthless.
package final class LinkSigner: Sendable {
    /// What a link is worth.
    enum Judgement: Hashable, Sendable {
        case good(until: WallTime)
        case expired(WallTime)
        /// It was never given out, or a new key was made since, or it is another recording's.
        case wrong
    }

    /// How long a link may be good for.
    package static let longest = Duration.seconds(366 * 86_400)
    package static let usual = Duration.seconds(7 * 86_400)
    /// What it is called in an address.
    static let query = "link"
    /// What it is called as a cookie.
    static let cookie = "callbot-link"

    private static let keyLength = 32

    private let path: String
    private let key = Locked<[UInt8]?>(nil)

    package init(_ place: StatePlace) { path = place.linkKey }

    /// What stands in a link: `SECONDS.SIGNATURE`.
    package func sign(_ recording: String, until: WallTime) throws(StorageError) -> String {
        let seconds = until.microseconds / 1_000_000
        return "\(seconds).\(signature(recording, seconds, try currentKey()))"
    }

    func judge(_ text: String, of recording: String, at now: WallTime) -> Judgement {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Int64(parts[0]), (0...1 << 40).contains(seconds),
            String(seconds) == parts[0], let key = try? currentKey(),
            SiteAccess.isSame(String(parts[1]), signature(recording, seconds, key))
        else { return .wrong }
        let until = WallTime(microseconds: seconds * 1_000_000)
        return now < until ? .good(until: until) : .expired(until)
    }

    /// Makes a new key.
    package func revokeAll() throws(StorageError) { _ = try key.withLock(makeKey) }

    private func signature(_ recording: String, _ seconds: Int64, _ key: [UInt8]) -> String {
        hmacSHA256(Array("callbot link\n\(seconds)\n\(recording)".utf8), key: key)
    }

    private func currentKey() throws(StorageError) -> [UInt8] {
        try key.withLock { (key) throws(StorageError) in
            if let key { return key }
            if Folder.exists(path) {
                let bytes = try SmallFile.read(path, limit: 1024)
                if bytes.count == Self.keyLength {
                    key = bytes
                    return bytes
                }
            }
            return try makeKey(&key)
        }
    }

    private func makeKey(_ key: inout [UInt8]?) throws(StorageError) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<Self.keyLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try AtomicFile.replace(path, with: bytes)
        key = bytes
        return bytes
    }
}
