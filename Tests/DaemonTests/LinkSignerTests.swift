import CallbotTesting
import Glibc
import MediaTypes
import Storage
import Testing

@testable import Daemon

@Suite struct LinkSignerTests {
    private let temporary: TemporaryFolder
    private let now = WallTime(microseconds: 1_800_000_000_000_000)

    init() throws { temporary = try TemporaryFolder() }

    @Test func aLinkIsGoodForItsRecordingUntilItsTime() throws {
        let place = StatePlace(temporary.path)
        let signer = LinkSigner(place)
        let until = now + .seconds(60)
        let link = try signer.sign("one", until: until)
        #expect(signer.judge(link, of: "one", at: now) == .good(until: until))
        #expect(signer.judge(link, of: "one", at: until) == .expired(until))
        #expect(signer.judge(link, of: "other", at: now) == .wrong)
        // The next daemon knows it, too.
        #expect(LinkSigner(place).judge(link, of: "one", at: now) == .good(until: until))
        var status = stat()
        #expect(stat(place.linkKey, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        try signer.revokeAll()
        #expect(signer.judge(link, of: "one", at: now) == .wrong)
        #expect(LinkSigner(place).judge(link, of: "one", at: now) == .wrong)
        let fresh = try signer.sign("one", until: until)
        #expect(signer.judge(fresh, of: "one", at: now) == .good(until: until))
    }

    @Test func whatWasChangedIsWorthless() throws {
        let signer = LinkSigner(StatePlace(temporary.path))
        let link = try signer.sign("one", until: now + .seconds(60))
        let parts = link.split(separator: ".").map(String.init)
        #expect(parts.count == 2)
        for changed in [
            "", ".", "x", parts[0], parts[1], "\(parts[0]).", ".\(parts[1])", "9\(link)", "0\(link)", "+\(link)",
            "\(link)0",
            "-1.\(parts[1])", "99999999999999999999.\(parts[1])", "\(parts[0]).\(parts[1].uppercased())",
            "\(parts[0]).\(String(repeating: "0", count: 64))", "\(link).x", String(link.dropLast()),
        ] { #expect(signer.judge(changed, of: "one", at: now) == .wrong, "\(changed)") }
    }

    @Test func aKeyThatIsNoneIsMadeAnew() throws {
        let place = StatePlace(temporary.path)
        try AtomicFile.replace(place.linkKey, with: [1, 2, 3])
        let signer = LinkSigner(place)
        let link = try signer.sign("one", until: now + .seconds(60))
        #expect(LinkSigner(place).judge(link, of: "one", at: now) == .good(until: now + .seconds(60)))
        #expect(try SmallFile.read(place.linkKey).count == 32)
    }
}
