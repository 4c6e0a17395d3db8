import Recording
import Testing

struct RoomAddressTests {
    @Test(arguments: [
        ("janus+ws://127.0.0.1:8188/1234", "ws://127.0.0.1:8188/", "1234"),
        ("janus+wss://example.org/1234", "wss://example.org:443/", "1234"),
        ("JANUS+WS://example.org/1234", "ws://example.org:80/", "1234"),
        ("janus+wss://example.org/janus/ws/stand%20up%2F2", "wss://example.org:443/janus/ws", "stand up/2"),
        ("janus+ws://[::1]:8188/Caf%C3%A9", "ws://[::1]:8188/", "Café"),
        ("janus+ws://[2001:db8::1]/x", "ws://[2001:db8::1]:80/", "x"),
    ])
    func anAddressNamesAServerAndARoom(text: String, server: String, room: String) throws {
        let address = try RoomAddress(text)
        #expect(address.server == server)
        #expect(address.room == room)
        // It can be written and read again.
        #expect(try RoomAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "1234", "ws://127.0.0.1:8188/1234", "http://h/1", "janus+ws://h", "janus+ws://h/", "janus+ws:///1",
        "janus+ws://h:0/1", "janus+ws://h:65536/1", "janus+ws://h:x/1", "janus+ws://::1/1", "janus+ws://[::1/1",
        "janus+ws://u:p@h/1", "janus+ws://h/1?pin=2", "janus+ws://h/1#x", "janus+ws://h/%zz", "janus+ws://h/%ff",
        "janus+ws://h/a b", "janus+ws://h/%", "janus+ws://h/+1%+1",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(throws: RoomAddress.Malformed.self) { try RoomAddress(text) }
    }
}
