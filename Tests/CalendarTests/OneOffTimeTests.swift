import Calendar
import MediaTypes
import Testing

@Suite struct OneOffTimeTests {
    @Test(arguments: [
        ("2026-12-01 09:00", "2026-12-01T08:00:00.000Z"), ("2026-12-01T09:00", "2026-12-01T08:00:00.000Z"),
        ("2026-07-01 09:00:30", "2026-07-01T07:00:30.000Z"), ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00.000Z"),
        ("2026-12-01t09:00z", "2026-12-01T09:00:00.000Z"), ("2026-12-01T09:00+01:00", "2026-12-01T08:00:00.000Z"),
        ("2026-12-01T09:00:00.25-0530", "2026-12-01T14:30:00.250Z"),
        ("2026-12-01 09:00 +01", "2026-12-01T08:00:00.000Z"),
        ("2026-12-01T09:00:00.1234567Z", "2026-12-01T09:00:00.123Z"),
        // Skipped and shown twice.
        ("2026-03-29 02:30", "2026-03-29T01:00:00.000Z"), ("2026-10-25 02:30", "2026-10-25T00:30:00.000Z"),
        ("2028-02-29 23:59:59", "2028-02-29T22:59:59.000Z"),
    ])
    func timesAreReadInBerlin(text: String, instant: String) throws {
        let time = try OneOffTime(text)
        #expect(time.instant(in: try zone("Europe/Berlin")).iso8601 == instant)
        #expect(try OneOffTime(time.description).instant(in: try zone("Europe/Berlin")).iso8601 == instant)
    }

    @Test(arguments: [
        (
            "tomorrow",
            "'tomorrow' is no time: write it as 2026-12-01 09:00, 2026-12-01T09:00:00Z or 2026-12-01T09:00+01:00"
        ),
        ("2026-12-01", "'2026-12-01' has no time of day: write it as 2026-12-01 09:00"),
        ("2026-02-29 09:00", "'2026-02-29 09:00' is no time: there is no such day"),
        ("2026-12-01 24:00", "'2026-12-01 24:00' is no time: hours are 00 to 23, minutes and seconds 00 to 59"),
    ])
    func whatIsNoTimeIsRefusedWithASentence(text: String, message: String) {
        let error = #expect(throws: OneOffTime.Invalid.self) { try OneOffTime(text) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        "", "2026", "2026-12-01 9:00", "2026-12-01 09", "2026-12-01 09:00x", "2026-12-01 09:00:00.",
        "2026-12-01T09:00+24:00",
        "2026-12-01 09:00:00.5", "26-12-01 09:00", "2026-12-01T09:00+1", "٢٠٢٦-12-01 09:00", "0000-01-01 00:00",
    ])
    func otherTextsAreRefused(text: String) { #expect(throws: OneOffTime.Invalid.self) { try OneOffTime(text) } }
}
