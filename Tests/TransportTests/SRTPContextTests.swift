import Testing

@testable import Transport

struct SRTPContextTests {
    /// What one of two peers has, and what the other has.
    private func pair(_ profile: SRTPProfile) throws -> (SRTPContext, SRTPContext) {
        let length = profile.keyLength + profile.saltLength
        let one = (0..<length).map { UInt8($0) }
        let other = (0..<length).map { UInt8(200 - $0) }
        return (
            try SRTPContext(SRTPKeyingMaterial(profile: profile, outbound: one, inbound: other)),
            try SRTPContext(SRTPKeyingMaterial(profile: profile, outbound: other, inbound: one))
        )
    }

    private func packet(_ number: UInt16, ssrc: UInt8 = 7, payload: Int = 100) -> [UInt8] {
        [0x80, 96, UInt8(number >> 8), UInt8(number & 0xff), 0, 0, 0, 1, 0, 0, 0, ssrc]
            + (0..<payload).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// A receiver report without a block (RFC 3550 section 6.4.2).
    private let report: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 9]

    private func unprotect(_ packet: [UInt8], with context: SRTPContext) throws(SRTPContext.Failure) -> [UInt8] {
        var packet = packet
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.count, alignment: 8)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: packet)
        let length =
            packet.count > 1 && (192...223).contains(packet[1])
            ? try context.unprotectRTCP(buffer) : try context.unprotectRTP(buffer)
        packet = Array(buffer[..<length])
        return packet
    }

    @Test(arguments: SRTPProfile.allCases)
    func whatOnePeerProtectsTheOtherReads(profile: SRTPProfile) throws {
        let (sender, receiver) = try pair(profile)
        for number: UInt16 in [65534, 65535, 0, 1] {
            let sealed = try sender.protectRTP(packet(number))
            #expect(sealed.count > 112)
            #expect(Array(sealed[12..<112]) != Array(packet(number)[12..<112]))
            #expect(try unprotect(sealed, with: receiver) == packet(number))
        }
        let sealed = try receiver.protectRTCP(report)
        #expect(try unprotect(sealed, with: sender) == report)
        #expect(receiver.failures == SRTPContext.Counts())
    }

    @Test(arguments: SRTPProfile.allCases)
    func manySendersShareOneKey(profile: SRTPProfile) throws {
        let (sender, receiver) = try pair(profile)
        for ssrc: UInt8 in 0..<50 {
            let sealed = try sender.protectRTP(packet(1, ssrc: ssrc))
            #expect(try unprotect(sealed, with: receiver) == packet(1, ssrc: ssrc))
        }
    }

    @Test func aRetransmissionMayComeLateButNotTwice() throws {
        let (sender, receiver) = try pair(.aeadAES128GCM)
        let first = try sender.protectRTP(packet(1000))
        let late = try sender.protectRTP(packet(1001))
        #expect(try unprotect(first, with: receiver) == packet(1000))
        for number: UInt16 in 1002..<3000 { _ = try unprotect(try sender.protectRTP(packet(number)), with: receiver) }
        #expect(try unprotect(late, with: receiver) == packet(1001))
        #expect(throws: SRTPContext.Failure.replayed) { try unprotect(late, with: receiver) }
        for number: UInt16 in 3000..<6000 { _ = try unprotect(try sender.protectRTP(packet(number)), with: receiver) }
        #expect(throws: SRTPContext.Failure.tooOld) { try unprotect(first, with: receiver) }
        #expect(receiver.failures.replayed == 1)
        #expect(receiver.failures.tooOld == 1)
    }

    @Test(arguments: SRTPProfile.allCases, [true, false])
    func whateverIsChangedOrCutIsRefused(profile: SRTPProfile, isRTCP: Bool) throws {
        let (sender, receiver) = try pair(profile)
        let plain = isRTCP ? report : packet(1, payload: 20)
        let sealed = isRTCP ? try sender.protectRTCP(plain) : try sender.protectRTP(plain)
        for position in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[position] ^= 1 << bit
                #expect(throws: SRTPContext.Failure.self) { try unprotect(changed, with: receiver) }
            }
            #expect(throws: SRTPContext.Failure.self) { try unprotect(Array(sealed.prefix(position)), with: receiver) }
        }
        #expect(receiver.failures.unauthentic > 0)
        #expect(receiver.failures.malformed > 0)
        // And after all that the good one is still good.
        #expect(try unprotect(sealed, with: receiver) == plain)
    }

    @Test func aHeaderThatPromisesMoreThanThereIsIsRefused() throws {
        let (_, receiver) = try pair(.aeadAES128GCM)
        let liars: [[UInt8]] = [
            [0x8f] + Array(packet(1, payload: 0).dropFirst()),  // fifteen CSRCs, none there
            [0x90] + Array(packet(1, payload: 0).dropFirst()),  // an extension, none there
            [0x90] + Array(packet(1, payload: 0).dropFirst()) + [0xbe, 0xde, 0xff, 0xff],
            [0x9f] + Array(packet(1, payload: 40).dropFirst()),
        ]
        for liar in liars {
            #expect(throws: SRTPContext.Failure.self) { try unprotect(liar, with: receiver) }
        }
    }

    @Test func keysOfTheWrongLengthAreRefused() {
        for length in [0, 16, 27, 29, 30] {
            let key = [UInt8](repeating: 1, count: length)
            let keys = SRTPKeyingMaterial(profile: .aeadAES128GCM, outbound: key, inbound: key)
            #expect(throws: SRTPContext.Failure.malformed) { try SRTPContext(keys) }
        }
    }

    @Test func theExportedBlockIsSplitAsRFC5764Says() {
        let exported = (0..<UInt8(56)).map { $0 }
        let client = SRTPKeyingMaterial(profile: .aeadAES128GCM, exported: exported, isClient: true)
        let server = SRTPKeyingMaterial(profile: .aeadAES128GCM, exported: exported, isClient: false)
        #expect(client?.outbound == Array(0..<16) + Array(32..<44))
        #expect(client?.inbound == Array(16..<32) + Array(44..<56))
        #expect(server?.outbound == client?.inbound)
        #expect(SRTPKeyingMaterial(profile: .aes128CMHMACSHA1at80, exported: exported, isClient: true) == nil)
    }
}
