import Calendar
import CallbotTesting
import MediaTypes
import Testing

@Suite struct CivilDateTests {
    @Test(arguments: [
        (1970, 1, 1, 0, Weekday.thursday), (1969, 12, 31, -1, .wednesday), (2000, 2, 29, 11_016, .tuesday),
        (2026, 11, 30, 20_787, .monday), (1, 1, 1, -719_162, .monday), (0, 2, 29, -719_469, .tuesday),
        (9999, 12, 31, 2_932_896, .friday), (2100, 3, 1, 47_541, .monday),
    ])
    func daysAreCountedFrom1970(year: Int, month: Int, day: Int, number: Int, weekday: Weekday) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.dayNumber == number && date.weekday == weekday)
        #expect(CivilDate(dayNumber: number) == date)
    }

    @Test(arguments: [(2026, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0)])
    func daysThatThereAreNotAreRefused(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test func everyDayOfFourCenturiesFollowsTheOneBeforeIt() throws {
        var previous = CivilDate(dayNumber: -1000)
        for number in -999...146_200 {
            let date = CivilDate(dayNumber: number)
            #expect(date.dayNumber == number && date > previous)
            #expect(date.day == previous.day + 1 || date.day == 1 && previous.day >= 28)
            #expect(date.weekday.daysAfter(previous.weekday) == 1)
            previous = date
        }
    }

    @Test func wallTimeAndCivilTimeAgree() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let wall = WallTime(
                microseconds: Int64.random(in: -60_000_000_000_000_000...250_000_000_000_000_000, using: &random))
            let clock = FixedOffset.utc.clock(at: wall)
            let (year, month, day) = wall.civilDate
            #expect(clock.date == CivilDate(year: year, month: month, day: day))
            #expect(clock.description.hasSuffix(wall.timeOfDay))
            #expect(CivilDateTime(clockSeconds: clock.clockSeconds) == clock)
        }
    }
}
