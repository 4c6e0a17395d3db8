import EventLoop
import MediaTypes
import Testing

@testable import Transport

/// Everything that uses usrsctp, one after the other: the library has one clock in a process, and here it is the tests'.
@Suite(.serialized) struct SCTPTests {}

extension SCTPTests {
    @Suite struct AssociationTests {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)

        private func connectedPair() -> (SCTPAssociation, SCTPAssociation) {
            let a = SCTPAssociation(isDTLSClient: true, at: start)
            let b = SCTPAssociation(isDTLSClient: false, at: start)
            _ = exchange(a, b, at: start)
            return (a, b)
        }

        @Test func aChannelOpensOnBothSidesAndCarriesAllKindsOfMessages() throws {
            let (a, b) = connectedPair()
            let channel = try #require(a.open(label: "chät"))
            #expect(channel.stream == 0)
            a.send(Array("hällo".utf8), on: channel, isText: true)
            a.send([1, 2, 3], on: channel, isText: false)
            a.send([], on: channel, isText: true)
            a.send([], on: channel, isText: false)
            let said = exchange(a, b, at: start)
            #expect(said.a == [.channelOpened(channel)])
            #expect(
                said.b == [
                    .channelOpened(channel), .message(channel, Array("hällo".utf8), isText: true),
                    .message(channel, [1, 2, 3], isText: false), .message(channel, [], isText: true),
                    .message(channel, [], isText: false),
                ])
            b.send(Array("back".utf8), on: channel, isText: true)
            #expect(exchange(a, b, at: start).a == [.message(channel, Array("back".utf8), isText: true)])
        }

        @Test func eachSideOpensStreamsOfItsOwnParity() throws {
            let (a, b) = connectedPair()
            let channels = [a.open(label: "x"), b.open(label: "x"), a.open(label: "y"), b.open(label: "")]
            #expect(channels.map { $0?.stream } == [0, 1, 2, 3])
            let said = exchange(a, b, at: start)
            #expect(said.a.count == 4)
            #expect(said.b.count == 4)
            #expect(a.channel(labelled: "x")?.stream == 0)
        }

        @Test func aChannelAskedForBeforeTheAssociationIsUpOpensWhenItIs() throws {
            let a = SCTPAssociation(isDTLSClient: true, at: start)
            let channel = try #require(a.open(label: "early"))
            a.send(Array("first".utf8), on: channel, isText: true)
            let b = SCTPAssociation(isDTLSClient: false, at: start)
            let said = exchange(a, b, at: start)
            #expect(said.b == [.channelOpened(channel), .message(channel, Array("first".utf8), isText: true)])
        }

        @Test(arguments: [1151, 1152, 60_000, 262_144])
        func aLongMessageArrivesWhole(length: Int) throws {
            let (a, b) = connectedPair()
            let channel = try #require(a.open(label: "long"))
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            a.send(message, on: channel, isText: false)
            var longest = 0
            let said = exchange(a, b, at: start) {
                longest = max(longest, $0.count)
                return $0
            }
            let isAsSent = said.b == [.channelOpened(channel), .message(channel, message, isText: false)]
            #expect(isAsSent)
            #expect(longest <= DTLSSession.maximumDatagram - DTLSSession.recordOverhead)
        }

        @Test func aMessageThatIsTooLongIsCountedAndTheNextOneArrives() throws {
            let (a, b) = connectedPair()
            let channel = try #require(a.open(label: "long"))
            a.send([UInt8](repeating: 1, count: 262_145), on: channel, isText: false)
            a.send([9], on: channel, isText: false)
            let said = exchange(a, b, at: start)
            #expect(said.b == [.channelOpened(channel), .message(channel, [9], isText: false)])
            #expect(b.counts.oversizedMessages == 1)
        }

        @Test func lostPacketsAreSentAgain() throws {
            var number = 0
            let lossy: ([UInt8]) -> [UInt8]? = { packet in
                number += 1
                return number % 9 == 0 ? nil : packet
            }
            let a = SCTPAssociation(isDTLSClient: true, at: start)
            let b = SCTPAssociation(isDTLSClient: false, at: start)
            let channel = try #require(a.open(label: "lossy"))
            let messages = (0..<50).map { [UInt8](repeating: UInt8($0), count: 100 * $0 + 1) }
            let expected: [SCTPAssociation.Output] =
                [.channelOpened(channel)] + messages.map { .message(channel, $0, isText: false) }
            for message in messages { a.send(message, on: channel, isText: false) }
            var said: [SCTPAssociation.Output] = []
            var now = start
            while said.count < 51, now - start < .seconds(120) {
                said += exchange(a, b, at: now, link: lossy).b
                now = [a.nextDeadline, b.nextDeadline].compactMap { $0 }.min() ?? now + .seconds(121)
                a.wake(at: now)
                b.wake(at: now)
            }
            let isAsSent = said == expected  // not in the macro, which would print it all
            #expect(isAsSent, "\(said.count) of 51 after \((now - start).seconds) s")
        }

        @Test func closingTellsThePeer() throws {
            let (a, b) = connectedPair()
            let channel = try #require(a.open(label: "x"))
            _ = exchange(a, b, at: start)
            a.close()
            #expect(a.nextDeadline == nil)
            #expect(exchange(a, b, at: start).b == [.channelClosed(channel), .closed])
            a.close()
            a.send([1], on: channel, isText: false)
            #expect(a.open(label: "late") == nil)
            #expect(a.nextOutput() == nil)
        }

        @Test func aPeerThatIsSilentIsGivenUp() {
            let a = SCTPAssociation(isDTLSClient: true, at: start)
            var now = start
            var said: [SCTPAssociation.Output] = []
            while let deadline = a.nextDeadline, now - start < .seconds(900) {
                now = deadline
                a.wake(at: now)
                while let output = a.nextOutput() {
                    if case .packet = output { continue }
                    said.append(output)
                }
            }
            #expect(said == [.closed])
        }

        /// Each octet of each packet of a conversation changed, and the original behind it.
        @Test func malformedPacketsHarmNothing() throws {
            let a = SCTPAssociation(isDTLSClient: true, at: start)
            let b = SCTPAssociation(isDTLSClient: false, at: start)
            var generator = SystemRandomNumberGenerator()
            func spoil(_ packet: [UInt8], _ victim: SCTPAssociation) {
                for position in packet.indices {
                    var changed = packet
                    changed[position] ^= 0x41
                    victim.handle(changed, at: start)
                    // The same with a good checksum, so that it is looked into; but not with our own verification tag,
                    // since then it would be the peer who speaks nonsense, and may end the association.
                    if position >= 12 {
                        changed[4] ^= UInt8.random(in: 1...255, using: &generator)
                        victim.handle(withChecksum(changed), at: start)
                    }
                    victim.handle(Array(packet.prefix(position)), at: start)
                }
            }
            let channel = try #require(a.open(label: "x"))
            a.send(Array("hello".utf8), on: channel, isText: true)
            var said: [SCTPAssociation.Output] = []
            for _ in 0..<20 {
                while let output = a.nextOutput() {
                    guard case .packet(let packet) = output else { continue }
                    spoil(packet, b)
                    b.handle(packet, at: start)
                }
                while let output = b.nextOutput() {
                    guard case .packet(let packet) = output else {
                        said.append(output)
                        continue
                    }
                    spoil(packet, a)
                    a.handle(packet, at: start)
                }
            }
            #expect(said == [.channelOpened(channel), .message(channel, Array("hello".utf8), isText: true)])
        }

        /// What the peer itself may say wrong, checksum and tag being right: no crash, whatever becomes of the association.
        @Test func nonsenseFromThePeerItselfNeverCrashes() throws {
            let conversation = { (spoil: (Int, [UInt8]) -> [UInt8]) in
                let a = SCTPAssociation(isDTLSClient: true, at: self.start)
                let b = SCTPAssociation(isDTLSClient: false, at: self.start)
                if let channel = a.open(label: "x") { a.send([1, 2, 3], on: channel, isText: false) }
                var number = 0
                for _ in 0..<6 {
                    while let output = a.nextOutput() {
                        guard case .packet(let packet) = output else { continue }
                        b.handle(spoil(number, packet), at: self.start)
                        number += 1
                    }
                    while let output = b.nextOutput() {
                        guard case .packet(let packet) = output else { continue }
                        a.handle(packet, at: self.start)
                    }
                }
            }
            var lengths: [Int] = []
            conversation { _, packet in
                lengths.append(packet.count)
                return packet
            }
            #expect(lengths.count >= 3)
            for (index, length) in lengths.enumerated() {
                for position in 12..<min(length, 120) {
                    conversation { number, packet in
                        guard number == index, position < packet.count else { return packet }
                        var changed = packet
                        changed[position] = changed[position] &+ 0x7f
                        return withChecksum(changed)
                    }
                }
            }
        }
    }
}

/// The packet with the CRC32c that belongs to it (RFC 9260 appendix A).
private func withChecksum(_ packet: [UInt8]) -> [UInt8] {
    guard packet.count >= 12 else { return packet }
    var packet = packet
    for position in 8..<12 { packet[position] = 0 }
    var crc: UInt32 = 0xffff_ffff
    for octet in packet {
        crc ^= UInt32(octet)
        for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82f6_3b78 }
    }
    crc = ~crc
    for position in 0..<4 { packet[8 + position] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(position))) }
    return packet
}
