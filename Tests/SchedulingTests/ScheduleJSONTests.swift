import Calendar
import JSON
import MediaTypes
import Scheduling
import Testing

@Suite struct ScheduleJSONTests {
    @Test func whatIsWrittenIsReadAsTheSame() throws {
        let until = try Bench.time("2027-01-01 00:00")
        let schedules = [
            Schedule(id: ScheduleID("a"), timing: .cron(try CronExpression("0 9 * * MON#1")), zone: "UTC", recipe: "r"),
            Schedule(
                id: ScheduleID("b"), name: "Ünion", timing: .once(try OneOffTime("2026-12-01 09:00")),
                zone: "Europe/Berlin", recipe: "r",
                duration: .milliseconds(1500), earlyJoin: .seconds(60), lateStop: .seconds(90),
                missedRuns: .late(upTo: .seconds(900)),
                overlap: .stopEarlier, isPaused: true, until: until, count: 3),
            Schedule(
                id: ScheduleID("c"), timing: .calendar(source: "https://example.org/a.ics"), zone: "UTC", recipe: "r",
                missedRuns: .skip, overlap: .both),
            Schedule(
                id: ScheduleID("d"), timing: .once(try OneOffTime("2026-12-01T09:00:00Z")), zone: "UTC", recipe: "r"),
            Schedule(
                id: ScheduleID("e"),
                timing: .any([try .init(spelled: "0 9 * * MON-FRI"), try .init(spelled: "2026-12-01 09:30")]),
                zone: "UTC", recipe: "r"),
        ]
        for schedule in schedules {
            #expect(try Schedule(JSONValue(parsing: schedule.json.compact)) == schedule)
        }
    }

    @Test func spansMayBeTexts() throws {
        let json = try JSONValue(
            parsing:
                "{id: 'a', cron: '@daily', zone: 'UTC', recipe: 'r', duration: '1h30m', missedRuns: {late: '15m'}}",
            as: .json5)
        let schedule = try Schedule(json)
        #expect(schedule.duration == .seconds(5400) && schedule.missedRuns == .late(upTo: .seconds(900)))
    }

    @Test(arguments: [
        ("{}", "a schedule has no id"), ("{id:'a'}", "schedule 'a' must have one of cron, once, calendar and when"),
        ("{id:'a',cron:'@daily',once:'x'}", "schedule 'a' must have one of cron, once, calendar and when"),
        (
            "{id:'a',cron:'* * *',zone:'UTC',recipe:'r'}",
            "schedule 'a': the cron expression '* * *' has 3 fields, it must have five: minute, hour, day "
                + "of the month, month, day of the week"
        ),
        ("{id:'a',cron:'@daily',recipe:'r'}", "a schedule has no zone"),
        ("{id:'a',cron:'@daily',zone:'UTC'}", "a schedule has no recipe"),
        (
            "{id:'a',cron:'@daily',zone:'UTC',recipe:'r',duration:'soon'}",
            "the duration of schedule 'a' must be a time such as 90s or 1h30m, of a year at most"
        ),
        (
            "{id:'a',cron:'@daily',zone:'UTC',recipe:'r',duration:1e300}",
            "the duration of schedule 'a' must be a time such as 90s or 1h30m, of a year at most"
        ),
        (
            "{id:'a',cron:'@daily',zone:'UTC',recipe:'r',missedRuns:'never'}",
            "missedRuns of schedule 'a' must be skip, remainder or {late: 15m}"
        ),
        (
            "{id:'a',cron:'@daily',zone:'UTC',recipe:'r',overlap:'never'}",
            "overlap of schedule 'a' must be skip, both or stopEarlier"
        ),
        (
            "{id:'a',cron:'@daily',zone:'UTC',recipe:'r',count:0}",
            "count of schedule 'a' must be a whole number above 0"
        ),
    ])
    func mistakesAreNamed(text: String, message: String) {
        let error = #expect(throws: SchedulingError.self) { try Schedule(JSONValue(parsing: text, as: .json5)) }
        #expect(error?.description == message)
    }

    @Test(arguments: ["{}", "{version:2}", "{version:1,schedules:[{}]}", "{version:1,runs:[{}]}", "[]"])
    func aStateThatIsNoneIsRefused(text: String) {
        #expect(throws: SchedulingError.self) { try Scheduler(restoring: JSONValue(parsing: text, as: .json5)) }
    }
}
