import CallbotTesting
import Glibc
import Testing

@testable import Storage

/// What is older than another file stays so.
@Test func copiedFilesKeepTheirTimes() throws {
    let temporary = try TemporaryFolder()
    let (from, to) = (temporary.path + "/from", temporary.path + "/to")
    try Folder.create(from)
    for (name, seconds) in [("a", 2_000_000_000), ("b", 1_000_000_000)] {
        try AtomicFile.replace(from + "/" + name, with: [1])
        let time = timespec(tv_sec: seconds, tv_nsec: 5000)
        #expect(utimensat(AT_FDCWD, from + "/" + name, [time, time], 0) == 0)
    }
    #expect(try FolderTree.copy(from, to: to))
    #expect(FileStatus(to + "/a")?.modified == 2_000_000_000_000_005_000)
    #expect(FileStatus(to + "/b")?.modified == 1_000_000_000_000_005_000)
}
