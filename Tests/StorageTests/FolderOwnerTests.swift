import CallbotTesting
import Glibc
import Testing

@testable import Storage

/// Only the superuser can make something for somebody else.
@Suite(.enabled(if: geteuid() == 0)) struct FolderOwnerTests {
    private let temporary: TemporaryFolder
    private var home: String { temporary.path + "/home" }

    init() throws {
        temporary = try TemporaryFolder()
        try Folder.create(home)
        chown(home, 12_345, 54_321)
    }

    private func owner(_ name: String) -> [UInt32] {
        var status = stat()
        return lstat(home + "/" + name, &status) == 0 ? [status.st_uid, status.st_gid] : []
    }

    @Test func whatIsMadeInSomebodysFolderIsTheirs() throws {
        try AtomicFile.replace(home + "/atomic", with: [1])
        _ = try AppendFile(creating: home + "/append")
        _ = try FileLock(file: home + "/lock")
        try Folder.createMissing(home + "/folder/inner")
        try AtomicFile.replace(home + "/folder/inner/file", with: [1])
        for name in ["atomic", "append", "lock", "folder", "folder/inner", "folder/inner/file"] {
            #expect(owner(name) == [12_345, 54_321], "\(name)")
        }
    }

    @Test func whatWasThereIsLeft() throws {
        #expect(link("/etc/hostname", home + "/linked") == 0 || errno == EXDEV)
        #expect(symlink("/etc/hostname", home + "/pointing") == 0)
        let file = try AppendFile(creating: home + "/file")
        try file.append([1])
        chown(home + "/file", 0, 0)
        _ = try FileLock(file: home + "/file")
        #expect(owner("file") == [0, 0])
        for name in ["linked", "pointing"] { _ = try? FileLock(file: home + "/" + name) }
        var status = stat()
        #expect(stat("/etc/hostname", &status) == 0 && status.st_uid == 0)
    }
}
