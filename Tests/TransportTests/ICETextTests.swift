import Testing

@testable import Transport

struct ICETextTests {
    @Test func serversAreReadFromTheirURLs() {
        let cases: [(String, ICEServer?)] = [
            ("stun:example.org", ICEServer(kind: .stun, host: "example.org", port: 3478)),
            ("stun:example.org:19302", ICEServer(kind: .stun, host: "example.org", port: 19302)),
            ("turn:10.0.0.1", ICEServer(kind: .turn(.udp), host: "10.0.0.1", port: 3478)),
            ("TURN:h:1?transport=TCP", ICEServer(kind: .turn(.tcp), host: "h", port: 1)),
            ("turns:h", ICEServer(kind: .turn(.tls), host: "h", port: 5349)),
            ("turn:[::1]:99?transport=udp", ICEServer(kind: .turn(.udp), host: "::1", port: 99)),
            ("stun:[::1]", ICEServer(kind: .stun, host: "::1", port: 3478)),
            ("", nil), ("stun", nil), ("stun:", nil), ("http://h", nil), ("turn:h:0", nil), ("turn:h:70000", nil),
            ("turn:h?transport=sctp", nil), ("stun:h?transport=udp", nil), ("turn:[::1", nil), ("turn:[::1]x", nil),
            ("turns:h?transport=udp", nil),
        ]
        for (url, expected) in cases { #expect(ICEServer(url: url) == expected, "\(url)") }
    }

    @Test(arguments: [
        ("candidate:1 1 UDP 2130706431 127.0.0.1 40000 typ host", true),
        ("a=candidate:1 1 udp 2130706431 ::1 40000 typ host generation 0 ufrag x", true),
        ("candidate:1 2 udp 2130706431 127.0.0.1 40000 typ host", false),
        ("candidate:1 1 tcp 1518280447 10.0.0.1 9 typ host tcptype active", false),
        ("candidate:1 1 udp 2122260223 5f0a-4c.local 50000 typ host", false),
    ])
    func whichCandidatesCanBeTried(line: String, isUsable: Bool) {
        #expect(ICECandidateLine(line)?.isUsable == isUsable)
    }

    @Test(arguments: [
        "", "candidate:", "candidate:1 1 udp", "candidate:1 x udp 1 127.0.0.1 1 typ host",
        "candidate:1 1 udp -1 127.0.0.1 1 typ host", "candidate:1 1 udp 1 127.0.0.1 70000 typ host",
        "candidate:1 1 udp 1 127.0.0.1 1 kind host", "candidate:1 1 udp 1 127.0.0.1 1 typ host\r\na=x",
        "candidate:1 1 udp 1 127.0.0.1 1 typ host\0", "v=0", "candidate:1 1 udp 1 \u{e9} 1 typ host",
    ])
    func nonsenseIsNoCandidate(line: String) {
        #expect(ICECandidateLine(line) == nil)
    }
}
