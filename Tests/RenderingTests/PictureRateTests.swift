import Testing

@testable import Rendering

@Test func theRateOfASecondIsToldDuringTheNext() {
    var rate = PictureRate()
    #expect(rate.value(inSecond: 5) == nil)
    // It begins in the middle of second 7.
    for _ in 0..<12 { rate.add(inSecond: 7) }
    #expect(rate.value(inSecond: 7) == nil && rate.value(inSecond: 8) == nil)
    for _ in 0..<25 { rate.add(inSecond: 8) }
    #expect(rate.value(inSecond: 8) == nil && rate.value(inSecond: 9) == 25)
    rate.add(inSecond: 9)
    #expect(rate.value(inSecond: 9) == 25 && rate.value(inSecond: 10) == 1 && rate.value(inSecond: 11) == 0)
    for _ in 0..<3 { rate.add(inSecond: 12) }
    #expect(rate.value(inSecond: 12) == 0 && rate.value(inSecond: 13) == 3)
}
