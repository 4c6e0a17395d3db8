import MediaTypes
import Testing

@Test func wallTimeSurvivesItsText() {
    for microseconds in stride(
        from: Int64(-5_000_000_000_000_000), to: 5_000_000_000_000_000, by: 7_777_777_777_777_000)
    {
        let time = WallTime(microseconds: microseconds - microseconds % 1000)
        #expect(WallTime(iso8601: time.iso8601) == time)
    }
    for day in 0..<1500 {
        let time = WallTime(microseconds: Int64(day) * 86_400_000_000 + 951_000_000_000_000)
        #expect(WallTime(iso8601: time.iso8601) == time)
    }
}

@Test(
    arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01.5Z", 1_500_000),
        ("2000-02-29T12:00:00.123456789Z", 951_825_600_123_456),
    ] as [(String, Int64)])
func wallTimeReadsFractions(text: String, microseconds: Int64) {
    #expect(WallTime(iso8601: text)?.microseconds == microseconds)
}

@Test(arguments: [
    "", "Z", "2026-11-30", "2026-11-30T04:07:28", "2026-13-30T04:07:28Z", "2026-11-30T24:07:28Z",
    "2026-11-30T04:07:28.Z",
    "2026-11-30T04:07:28.x12Z", "2026-11-30 04:07:28Z", "2026-11-30T04:07:28+01:00", "éééééééééééééééZ",
])
func wallTimeRefusesOtherText(text: String) {
    #expect(WallTime(iso8601: text) == nil)
}
