import CallbotTesting
import MediaTypes
import Testing

@testable import Recording

@Test func eachSpellOfUnkeptFramesIsToldOnce() {
    var unkept = UnkeptFrames()
    var told: [String] = []
    func look(at time: Int64, isEnd: Bool = false) {
        for (track, count) in unkept.next(at: .ms(time), isEnd: isEnd) {
            told.append("\(time): \(count) of \(track.number)")
        }
    }
    look(at: 0)
    var begins: [Bool] = []
    for (time, track) in [(1000, 2), (1040, 2), (1040, 1), (1700, 2), (5000, 1)] as [(Int64, Int)] {
        look(at: time)
        begins.append(unkept.add(TrackID(track), at: .ms(time)))
    }
    look(at: 5250)
    look(at: 5250, isEnd: true)
    look(at: 9000, isEnd: true)
    #expect(begins == [true, false, false, false, true])
    #expect(told == ["5000: 1 of 1", "5000: 3 of 2", "5250: 1 of 1"])
}
