import Recording
import Storage

/// `--once`: one recorder a room and archive. Held for as long as the process lives.
enum RoomLock {
    /// - Throws: `StorageError` with the cause `.locked` when a recorder of the room runs.
    static func take(_ room: RoomAddress, in archive: String) throws(StorageError) -> FileLock {
        let folder = archive + "/.once"
        try Folder.createMissing(folder)
        return try FileLock(file: "\(folder)/\(name(of: room.description)).lock")
    }

    /// Addresses are longer than files' names may be: FNV-1a, 64 bits.
    private static func name(of address: String) -> String {
        let hash = address.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
