import MediaTypes
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("h", "h", nil), ("h:1", "h", 1), ("h:65535", "h", 65535), ("[::1]", "::1", nil), ("[::1]:99", "::1", 99),
        ] as [(Substring, String, UInt16?)])
    func aServerIsReadInEveryForm(text: Substring, host: String, port: UInt16?) throws {
        let server = try HostAndPort(text)
        #expect(server.host == host)
        #expect(server.port == port)
    }

    @Test(
        arguments: [
            ("", .noHost), (":1", .noHost), ("[]:1", .noHost), ("[::1", .bracketMissing), ("h:", .invalidPort),
            ("h:0", .invalidPort), ("h:65536", .invalidPort), ("h:x", .invalidPort), ("::1", .noHost),
            ("2001:db8::1", .invalidPort), ("[::1]x", .invalidPort),
        ] as [(Substring, HostAndPort.Malformed)])
    func whatIsNoServerIsRefused(text: Substring, reason: HostAndPort.Malformed) {
        #expect(throws: reason) { try HostAndPort(text) }
    }
}
