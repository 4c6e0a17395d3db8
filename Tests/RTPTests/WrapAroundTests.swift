import RTP
import Testing

@Suite struct WrapAroundTests {
    @Test(arguments: [0, 1, 32766, 32767, 32768, 65534, 65535] as [UInt16])
    func sequenceNumbersGoOnAcrossTheWrapFromEveryAwkwardStart(start: UInt16) {
        var unwrapper = SequenceUnwrapper()
        let first = unwrapper.unwrap(SequenceNumber(start))
        for step in 1...200_000 {
            let extended = unwrapper.unwrap(SequenceNumber(start &+ UInt16(truncatingIfNeeded: step)))
            #expect(extended - first == Int64(step))
            if extended - first != Int64(step) { return }
        }
    }

    @Test(arguments: [0, 5, 32768, 65535] as [UInt16])
    func aLateNumberIsBehindTheHighest(start: UInt16) {
        var unwrapper = SequenceUnwrapper()
        let first = unwrapper.unwrap(SequenceNumber(start))
        #expect(unwrapper.unwrap(SequenceNumber(start &+ 10)) - first == 10)
        #expect(unwrapper.unwrap(SequenceNumber(start &- 3)) - first == -3)
        #expect(unwrapper.unwrap(SequenceNumber(start &+ 11)) - first == 11)
        #expect(unwrapper.peek(SequenceNumber(start &+ 5)) - first == 5)
        #expect(unwrapper.unwrap(SequenceNumber(start &- 3)).wire == SequenceNumber(start &- 3))
    }

    @Test(arguments: [0, 1, 99, 100, 101, 50000] as [UInt16])
    func aRestartIsAlwaysAhead(number: UInt16) {
        var unwrapper = SequenceUnwrapper()
        let before = unwrapper.unwrap(SequenceNumber(100))
        let after = unwrapper.restart(at: SequenceNumber(number))
        #expect(after > before)
        #expect(after.wire == SequenceNumber(number))
        #expect(unwrapper.unwrap(SequenceNumber(number).next) - after == 1)
    }

    @Test(arguments: [0, 0x7fff_ffff, 0x8000_0000, 0xffff_f000, 0xffff_ffff] as [UInt32])
    func timestampsGoOnAcrossTheWrap(start: UInt32) {
        var unwrapper = TimestampUnwrapper()
        let first = unwrapper.unwrap(start)
        for step in 1...10 {
            #expect(unwrapper.unwrap(start &+ UInt32(step) &* 0x3fff_ffff) - first == Int64(step) * 0x3fff_ffff)
        }
        let newest = unwrapper.unwrap(start &+ 10 &* 0x3fff_ffff)
        #expect(unwrapper.peek(start &+ 10 &* 0x3fff_ffff &- 90_000) - newest == -90_000)
    }

    @Test func ntpTimeTurnsIntoNanosecondsAndBack() {
        for nanoseconds in [0, 1_000_000_000, 3_900_000_000_123_456_789, 4_294_967_295_999_999_999] as [Int64] {
            #expect(abs(NTPTime(nanoseconds: nanoseconds).nanoseconds - nanoseconds) <= 1)
        }
        #expect(NTPTime(0x1122_3344_5566_7788).middle == 0x3344_5566)
    }
}
