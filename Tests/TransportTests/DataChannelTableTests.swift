import Testing

@testable import Transport

struct DataChannelTableTests {
    private func drain(_ table: inout DataChannelTable) -> [DataChannelTable.Output] {
        var outputs: [DataChannelTable.Output] = []
        while let output = table.nextOutput() { outputs.append(output) }
        return outputs
    }

    private func opened(_ table: inout DataChannelTable, stream: UInt16, label: String) {
        let open = DCEPMessage.open(label: label, subprotocol: "")
        table.receive(open.octets, stream: stream, payload: 50)
    }

    @Test func anOpenMessageIsAcknowledged() {
        var table = DataChannelTable(isDTLSClient: false)
        opened(&table, stream: 4, label: "feed")
        let channel = DataChannel(stream: 4, label: "feed")
        #expect(drain(&table) == [.send(stream: 4, .control, [2]), .opened(channel)])
        // The same once more is nonsense.
        opened(&table, stream: 4, label: "feed")
        #expect(drain(&table) == [])
        #expect(table.strayMessages == 1)
    }

    @Test func theFirstMessageStandsForTheAcknowledgement() throws {
        var table = DataChannelTable(isDTLSClient: true)
        let asked = table.open(label: "x")
        let channel = try #require(asked)
        table.receive([65], stream: 0, payload: 51)
        table.receive([2], stream: 0, payload: 50)
        #expect(
            drain(&table).dropFirst() == [.opened(channel), .message(channel, [65], isText: true)])
    }

    private static let strays: [(UInt32, [UInt8])] = [
        (51, [0, 0, 0]), (50, []), (50, [9]), (50, [3, 0, 0]),
        (50, [3, 0, 1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 65]), (50, [3, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0xff]),
        (50, [3, 0, 1, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]), (52, [1]), (0, [1]), (.max, [1]),
    ]

    @Test(arguments: strays)
    func aStrayMessageIsCounted(payload: UInt32, message: [UInt8]) {
        var table = DataChannelTable(isDTLSClient: true)
        table.receive(message, stream: 1, payload: payload)
        #expect(drain(&table) == [])
        #expect(table.strayMessages == 1)
    }

    @Test func aResetClosesTheChannelAndFreesItsStream() {
        var table = DataChannelTable(isDTLSClient: true)
        opened(&table, stream: 1, label: "a")
        _ = drain(&table)
        table.peerReset(streams: [1, 7])
        #expect(drain(&table) == [.reset(stream: 1), .closed(DataChannel(stream: 1, label: "a"))])
        opened(&table, stream: 1, label: "b")
        #expect(drain(&table).last == .opened(DataChannel(stream: 1, label: "b")))
    }

    @Test func aPeerCannotOpenMoreThanTheLimit() {
        var table = DataChannelTable(isDTLSClient: true)
        for stream in 0..<UInt16(2000) { opened(&table, stream: stream, label: "") }
        #expect(table.strayMessages == 2000 - DataChannelTable.maximumChannels)
        #expect(table.open(label: "mine") == nil)
    }

    @Test func partsAreJoinedStreamByStream() {
        var reassembly = MessageReassembly(limit: 5)
        #expect(reassembly.take([1, 2], stream: 0, isLast: false) == nil)
        #expect(reassembly.take([9], stream: 1, isLast: true) == [9])
        #expect(reassembly.take([3], stream: 0, isLast: true) == [1, 2, 3])
        #expect(reassembly.take([1, 2, 3], stream: 0, isLast: false) == nil)
        #expect(reassembly.take([4, 5, 6], stream: 0, isLast: false) == nil)
        #expect(reassembly.take([7], stream: 0, isLast: true) == nil)
        #expect(reassembly.oversizedMessages == 1)
        #expect(reassembly.take([1, 2, 3, 4, 5], stream: 0, isLast: true) == [1, 2, 3, 4, 5])
        #expect(reassembly.take([1, 2, 3, 4, 5, 6], stream: 0, isLast: true) == nil)
        #expect(reassembly.oversizedMessages == 2)
    }
}
