import CallbotTesting
import Foundation
import Testing

@testable import HostReading

@Suite struct HostReadingTests {
    @Test func aQuotaIsAShareOfThePeriod() {
        #expect(HostProcessors.quota(of: "150000 100000\n") == 1.5)
        #expect(HostProcessors.quota(of: "max 100000\n") == nil)
        #expect(HostProcessors.quota(of: "1 0") == nil)
        #expect(HostProcessors.quota(of: "") == nil)
        #expect(HostProcessors(count: 8, quota: 1.5).usable == 1.5)
        #expect(HostProcessors(count: 2, quota: 4).usable == 2)
    }

    @Test func theTableOfMemoryIsRead() throws {
        let table = "MemTotal:       24640216 kB\nMemFree:  1 kB\nMemAvailable:   22000000 kB\nHugePages_Total:  0\n"
        let memory = try #require(HostMemory(table: table))
        #expect(memory.total == 24_640_216 * 1024 && memory.available == 22_000_000 * 1024)
        #expect(HostMemory(table: "MemTotal: many kB") == nil)
    }

    @Test(arguments: [
        (0xEF53, FileSystemKind.local), (0x9123_683E, .local), (0x0102_1994, .memory), (0x794C_7630, .layered),
        (0x6969, .network("NFS")), (0xFF53_4D42, .network("SMB")), (0x6573_5546, .program), (-1, .local),
    ])
    func fileSystemsAreKnownByTheirNumbers(magic: Int, kind: FileSystemKind) {
        #expect(FileSystemKind(magic: magic) == kind)
    }

    @Test func librariesAreKnownByTheirFiles() {
        let maps = """
            7f0000000000-7f0000001000 r--p 00000000 08:01 1 /usr/lib/x86_64-linux-gnu/libnice.so.10.12.0
            7f0000001000-7f0000002000 r-xp 00000000 08:01 1 /usr/lib/x86_64-linux-gnu/libnice.so.10.12.0
            7f0000002000-7f0000003000 rw-p 00000000 00:00 0 [heap]
            7f0000003000-7f0000004000 r--p 00000000 08:01 2 /usr/bin/callbot
            7f0000004000-7f0000005000 r--p 00000000 08:01 3 /lib/libogg.so.0.8.5 (deleted)

            """
        let names = LoadedLibraries.names(in: maps)
        #expect(names == ["libnice.so.10.12.0"])
        #expect(LoadedLibraries.version(of: "libnice", among: names) == "10.12.0")
        #expect(LoadedLibraries.version(of: "libni", among: names) == nil)
    }

    @Test func certificatesAreCounted() throws {
        let folder = try TemporaryFolder()
        let one = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        try (one + "# two\n" + one).write(toFile: folder.path + "/authorities", atomically: true, encoding: .utf8)
        #expect(TrustedCertificates.count(in: folder.path + "/authorities") == 2)
        #expect(TrustedCertificates.count(in: folder.path + "/none") == 0)
    }

    @Test func thisMachineIsRead() throws {
        #expect(HostProcessors.read().count >= 1)
        #expect(HostProcessors.read().usable > 0)
        let memory = try #require(HostMemory.read())
        #expect(memory.total > 0 && memory.available <= memory.total)
        #expect(OpenFileLimit.read() > 0)
        #expect(!LoadedLibraries.read().isEmpty)
        #expect(FileSystemKind.of("/proc") == .local)
    }
}
