import MediaTypes
import Scheduling
import Testing

@testable import Commands

@Suite struct ScheduleKeyTests {
    private func schedule(_ key: String) throws -> Schedule? {
        var arguments = RecordArguments()
        let text = "{ room: 'janus+ws://h/1', schedule: \(key) }"
        try RecipeFile(path: "/r/standup.json5", text: Array(text.utf8)).apply(to: &arguments, in: .made())
        return arguments.schedule
    }

    @Test func aRecipeSaysWhenItIsRecorded() throws {
        let schedule = try #require(
            try schedule(
                "{ when: '0 9 * * MON-FRI', zone: 'Europe/Berlin', duration: '45m', early: '1m', late: '5m', missed: 'skip', overlap: 'both', until: '2027-01-31 18:00', count: 3, name: 'Standup' }"
            ))
        #expect(schedule.id == ScheduleID("standup") && schedule.recipe == "/r/standup.json5")
        #expect(schedule.timing.description == "0 9 * * MON-FRI" && schedule.zone == "Europe/Berlin")
        #expect(schedule.duration == .seconds(45 * 60) && schedule.earlyJoin == .seconds(60))
        #expect(schedule.lateStop == .seconds(300) && schedule.missedRuns == .skip && schedule.overlap == .both)
        #expect(schedule.count == 3 && schedule.name == "Standup")
        #expect(schedule.until == WallTime(iso8601: "2027-01-31T17:00:00Z"))
    }

    @Test func timesMayBeSeveralOrACalendar() throws {
        let several = try schedule("{ when: ['0 9 * * *', '2026-12-01 09:00'] }")
        #expect(several?.timing.description == "0 9 * * *; 2026-12-01 09:00:00")
        let calendar = try schedule("{ calendar: 'team.ics' }")
        #expect(calendar?.timing == .calendar(source: "/r/team.ics") && calendar?.overlap == .both)
        #expect(try schedule("null") == nil)
    }

    @Test(arguments: [
        ("{}", "1:37: a schedule needs when, such as \"0 9 * * MON-FRI\", or calendar"),
        ("{ when: 5 }", "1:45: when cannot be a number: write \"0 9 * * MON-FRI\" or \"2026-12-01 09:00\""),
        ("{ when: [] }", "1:45: when has no time in it"),
        ("{ when: '0 0 30 2 *' }", "1:45: '0 0 30 2 *' never is: there is no such day"),
        ("{ when: '@daily', calendar: 'x.ics' }", "1:65: a schedule has when or calendar, not both"),
        ("{ when: '@daily', zone: 'Europe/Berln' }", "1:37: unknown time zone 'Europe/Berln'"),
        ("{ whn: '@daily' }", "1:39: unknown key 'whn' (did you mean 'when'?)"),
        ("{ when: '@daily', missed: 'never' }", "1:63: missed must be remainder, skip or a time such as 15m"),
        ("3", "1:37: expected an object, found a number"),
    ])
    func whatIsWrongIsSaidWithItsPlace(key: String, sentence: String) {
        let error = #expect(throws: SettingsFileError.self) { try schedule(key) }
        #expect(error?.description.hasPrefix("/r/standup.json5:\(sentence)") == true, "\(error?.description ?? "none")")
    }

    /// Whoever records at once has no use for it, and hears of its faults.
    @Test func recordAcceptsTheKey() throws {
        let files = [
            "a.json5": "{room: 'janus+ws://h/1', schedule: {when: '@daily'}}",
            "b.json5": "{room: 'janus+ws://h/1', schedule: {}}",
        ]
        guard case .request = try RecordCommand.parse(["a.json5"], in: .made(files: files)) else {
            throw UsageError("help")
        }
        #expect(throws: RecordCommand.Failure.self) { try RecordCommand.parse(["b.json5"], in: .made(files: files)) }
    }
}
