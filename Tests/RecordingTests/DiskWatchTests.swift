import CallbotTesting
import MediaTypes
import RecordingFormat
import Testing

@testable import Recording

@Suite struct DiskWatchTests {
    private static let megabyte: Int64 = 1_000_000

    /// The levels that figures of free megabytes lead to, a second apart, nil where nothing changes.
    private func levels(_ free: [Int64], reserve: Int64 = 32, kilobytesASecond: Int64 = 0) -> [DiskLevel?] {
        var watch = DiskWatch(reserve: reserve * Self.megabyte)
        return free.enumerated().map { second, free in
            watch.update(
                free: free * Self.megabyte, written: Int64(second) * kilobytesASecond * 1000,
                at: .ms(Int64(second) * 1000))
        }
    }

    @Test func eachWatermarkIsToldOnce() {
        #expect(
            levels([200, 129, 127, 100, 64, 63, 40, 32, 31, 10])
                == [nil, nil, .low, nil, nil, .scarce, nil, nil, .exhausted, nil])
    }

    @Test func aDiskThatIsFullFromOneMomentToTheNextIsExhaustedAtOnce() {
        #expect(levels([200, 0]) == [nil, .exhausted])
        #expect(levels([50]) == [.scarce])
    }

    @Test func aLevelIsLeftWhenAQuarterMoreIsFree() {
        #expect(
            levels([127, 130, 159, 160, 130, 127, 63, 65, 79, 81, 60, 300])
                == [.low, nil, nil, .ample, nil, .low, .scarce, nil, nil, .low, .scarce, .ample])
    }

    @Test func thereIsNoWayBackFromTheLastLevel() {
        #expect(levels([31, 10_000, 10]) == [.exhausted, nil, nil])
    }

    /// 2 MB/s: ten minutes are 1200 MB.
    @Test func theFirstWatermarkIsTenMinutesWorthWhenThatIsMore() {
        #expect(levels([1300, 1250, 1210, 1190], kilobytesASecond: 2000) == [nil, nil, nil, .low])
        #expect(levels([1300, 1250, 1210, 1190], kilobytesASecond: 100) == [nil, nil, nil, nil])
    }

    /// From a memory disk of 200 MB to one of 10 TB.
    @Test(arguments: [190, 10_000_000])
    func freshDisksAreAmple(free: Int64) {
        #expect(levels([free, free], kilobytesASecond: 200) == [nil, nil])
    }
}
