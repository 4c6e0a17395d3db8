import MediaTypes
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("90s", 90.0), ("1h30m", 5400), ("1.5h", 5400), ("250ms", 0.25), ("1:30:00", 5400), ("1:30", 90), ("90", 90),
        ("2d", 172_800),
        ("5min", 300), ("0", 0),
    ])
    func spansAreReadAsPeopleWriteThem(text: String, seconds: Double) {
        #expect(Duration(spelled: text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "h", "1x", "30m1h", "1h1h", "-5s", "1:60", "1:2:3:4", "1e3", "nan", "1..5", ".5h", "5.", "1 h", "١s",
    ])
    func whatIsNoSpanIsNothing(text: String) { #expect(Duration(spelled: text) == nil) }

    @Test func longSpansAreNoTrap() {
        #expect(Duration(spelled: "999999999999999d999999999999999h99999999999999m") != nil)
    }
}
