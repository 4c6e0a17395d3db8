import CallbotTesting
import Glibc
import Testing

@testable import Storage

@Test func appendFileIsPrivateGrowsAndIsPatched() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a"
    let old = umask(0)
    defer { umask(old) }
    do {
        let file = try AppendFile(creating: path)
        try file.append(Array("hello ".utf8))
        try file.append(Array("world".utf8))
        try file.patch(offset: 0, Array("H".utf8))
        try file.synchronize()
        #expect(file.length == 11)
    }
    #expect(mode(of: path) == 0o600)
    #expect(try SmallFile.read(path) == Array("Hello world".utf8))

    let again = try AppendFile(reopening: path)
    #expect(again.length == 11)
    try again.append(Array("!".utf8))
    try again.patch(offset: 6, Array("W".utf8))
    #expect(try SmallFile.read(path) == Array("Hello World!".utf8))
}

@Test func nothingIsOverwritten() throws {
    let folder = try TemporaryFolder()
    _ = try AppendFile(creating: folder.path + "/a")
    let error = #expect(throws: StorageError.self) { _ = try AppendFile(creating: folder.path + "/a") }
    #expect(error?.cause == .exists && error?.operation == .create)
    #expect(error?.description == "cannot create \(folder.path)/a: it is there already")

    // Not through a link either.
    symlink(folder.path + "/elsewhere", folder.path + "/link")
    #expect(throws: StorageError.self) { _ = try AppendFile(creating: folder.path + "/link") }
    #expect(throws: StorageError.self) { _ = try SmallFile.read(folder.path + "/elsewhere") }
}

@Test func spareSpaceIsTakenAndGivenBackWithoutAName() throws {
    let folder = try TemporaryFolder()
    let before = try Folder.freeSpace(of: folder.path)
    do {
        let spare = try SpareSpace(in: folder.path, bytes: 64 << 20)
        #expect(try Folder.entries(folder.path) == [])
        // Others use the disk, too.
        #expect(try before - Folder.freeSpace(of: folder.path) > 32 << 20)
        spare.giveBack()
        #expect(try before - Folder.freeSpace(of: folder.path) < 32 << 20)
    }
    #expect(throws: StorageError.self) { _ = try SpareSpace(in: folder.path, bytes: 1 << 60) }
    #expect(try Folder.entries(folder.path) == [])
}

@Test func fullDiskIsSaidSo() throws {
    let file = try AppendFile(reopening: "/dev/full")
    let error = #expect(throws: StorageError.self) { try file.append([1, 2, 3]) }
    #expect(error?.cause == .noSpace)
    #expect(error?.description == "cannot append /dev/full: no space left")
    #expect(file.length == 0)
}

@Test(
    arguments: [
        ("/proc/self/none/x", StorageError.Cause.missing), ("/dev/null/x", .missing), ("/proc/x", .missing),
    ] as [(String, StorageError.Cause)])
func placesThatDoNotExistAreSaidSo(path: String, cause: StorageError.Cause) {
    let error = #expect(throws: StorageError.self) { _ = try AppendFile(creating: path) }
    #expect(error?.cause == cause)
}

@Test(
    arguments: [
        (ENOSPC, "no space left"), (EDQUOT, "no space left"), (EFBIG, "the file would be larger than is allowed"),
        (EROFS, "the file system is read-only"), (EACCES, "permission denied"), (EEXIST, "it is there already"),
        (ENOENT, "no such file or folder"), (EMFILE, "too many open files"), (EIO, "input/output error"),
        (99_999, "error 99999"),
    ] as [(Int32, String)])
func reasonIsInWords(number: Int32, reason: String) {
    #expect(StorageError(.append, "f", errno: number).description == "cannot append f: \(reason)")
}

@Test func replacedFileIsTheOldOrTheNew() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/recording.json"
    try AtomicFile.replace(path, with: Array("one".utf8))
    let reader = fopen(path, "r")
    try AtomicFile.replace(path, with: Array("two!".utf8))
    // Who had it open still reads the old one.
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(fread(&buffer, 1, 10, reader) == 3)
    fclose(reader)
    #expect(try SmallFile.read(path) == Array("two!".utf8))
    #expect(mode(of: path) == 0o600)
    #expect(try Folder.entries(folder.path) == ["recording.json"])

    // What a crash left behind is in nobody's way.
    _ = try AppendFile(creating: path + ".new")
    try AtomicFile.replace(path, with: Array("three".utf8))
    #expect(try SmallFile.read(path) == Array("three".utf8))
    let error = #expect(throws: StorageError.self) { try AtomicFile.replace("/proc/none/x", with: []) }
    #expect(error?.cause == .missing && error?.path == "/proc/none/x")
}

@Test func foldersArePrivateAndMadeOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/2026/11/30/x"
    try Folder.create(path)
    for made in ["/2026", "/2026/11", "/2026/11/30", "/2026/11/30/x"] { #expect(mode(of: folder.path + made) == 0o700) }
    let error = #expect(throws: StorageError.self) { try Folder.create(path) }
    #expect(error?.cause == .exists)
    try Folder.createMissing(path + "/")
    try Folder.create(folder.path + "/2026/11/30/y")
    #expect(try Folder.entries(folder.path + "/2026/11/30") == ["x", "y"])
    _ = try AppendFile(creating: folder.path + "/file")
    #expect(throws: StorageError.self) { try Folder.createMissing(folder.path + "/file/below") }
    #expect(throws: StorageError.self) { _ = try Folder.entries(folder.path + "/none") }
}

@Test(arguments: [("/a/b", "/a"), ("/a/b/", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b", "a")])
func parentOfAPath(path: String, parent: String) {
    #expect(Folder.parent(of: path) == parent)
}

@Test func lockIsHeldByOne() throws {
    let folder = try TemporaryFolder()
    do {
        let held = try FileLock(folder: folder.path)
        let error = #expect(throws: StorageError.self) { _ = try FileLock(folder: folder.path) }
        #expect(error?.cause == .locked)
        withExtendedLifetime(held) {}
    }
    _ = try FileLock(folder: folder.path)
    let file = try FileLock(file: folder.path + "/lock")
    #expect(throws: StorageError.self) { _ = try FileLock(file: folder.path + "/lock") }
    withExtendedLifetime(file) {}
}

@Test func smallFileHasALimit() throws {
    let folder = try TemporaryFolder()
    let file = try AppendFile(creating: folder.path + "/a")
    try file.append([UInt8](repeating: 7, count: 100_000))
    #expect(try SmallFile.read(folder.path + "/a", limit: 100_000).count == 100_000)
    #expect(throws: StorageError.self) { _ = try SmallFile.read(folder.path + "/a", limit: 99_999) }
}

@Test func freeSpaceIsMeasured() throws {
    #expect(try Folder.freeSpace(of: "/tmp") > 0)
    #expect(throws: StorageError.self) { _ = try Folder.freeSpace(of: "/nowhere") }
}

private func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
}
