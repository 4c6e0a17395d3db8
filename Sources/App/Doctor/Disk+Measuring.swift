import EventLoop
import HostReading
import MediaTypes
import Storage

extension Measurements.Disk {
    private static let pieces = 16
    private static let piece = 1 << 20

    /// Writes a little into the archive, or into the folder above it that is there, and takes it away again.
    static func measured(for archive: String) -> Self {
        var folder = archive
        while !Folder.exists(folder), folder != "/", folder != "." { folder = Folder.parent(of: folder) }
        let free = (try? Folder.freeSpace(of: folder)) ?? 0
        return Self(
            folder: folder, free: free, writing: writing(in: folder, free: free), kind: .of(folder))
    }

    private static func writing(in folder: String, free: Int64) -> Writing {
        do throws(StorageError) {
            guard Folder.isFolder(folder) else { return .failed("it is no folder") }
            try Folder.requireWritable(folder)
            guard free >= 8 * Int64(pieces * piece) else { return .notTried }
            // Without a name from the first moment on, so that nothing is left however this ends.
            let file = try ScratchFile(in: folder, named: ".callbot-doctor")
            return try measure(file)
        } catch {
            return .failed(error.reason)
        }
    }

    private static func measure(_ file: ScratchFile) throws(StorageError) -> Writing {
        // Not zeroes, which some disks do not write.
        var noise: UInt32 = 88_172_645
        let bytes = (0..<piece).map { _ -> UInt8 in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: noise >> 24)
        }
        let begin = HostClock.now()
        var written = 0
        for index in 0..<pieces where HostClock.now() - begin < .seconds(2) {
            try file.write(bytes, at: Int64(index * piece))
            try file.synchronize()
            written += piece
        }
        let took = max(1e-6, (HostClock.now() - begin).seconds)
        var longest = Duration.zero
        for _ in 0..<5 {
            let start = HostClock.now()
            try file.write([1, 2, 3], at: 0)
            try file.synchronize()
            longest = max(longest, HostClock.now() - start)
        }
        return .measured(bytesPerSecond: Double(written) / took, sync: longest)
    }
}
