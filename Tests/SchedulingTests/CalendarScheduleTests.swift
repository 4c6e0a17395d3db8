import Calendar
import MediaTypes
import Scheduling
import Testing

@Suite struct CalendarScheduleTests {
    let schedule = Schedule(
        id: ScheduleID("c"), timing: .calendar(source: "team.ics"), zone: "Europe/Berlin", recipe: "r",
        duration: .seconds(1800),
        earlyJoin: .seconds(60), overlap: .both)

    func calendar(_ events: String...) throws -> ICalendar {
        let text = "BEGIN:VCALENDAR\n" + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined() + "END:VCALENDAR\n"
        return try ICalendar(parsing: Array(text.utf8)) { _ in nil }
    }

    @Test func eventsAreRecordedForTheirOwnLength() throws {
        var bench = try Bench("2026-11-30 07:00")
        try bench.add(schedule)
        bench.handle(
            .calendarRead(
                schedule.id,
                try calendar(
                    "UID:daily\nDTSTART:20261101T080000Z\nDURATION:PT15M\nRRULE:FREQ=DAILY\n"
                        + "EXDATE:20261201T080000Z\nURL:https://example.org/r",
                    "UID:same time\nDTSTART:20261130T080000Z\nSUMMARY:x", "UID:holiday\nDTSTART;VALUE=DATE:20261130")))
        try bench.run(until: "2026-11-30 07:59")
        #expect(bench.scheduler.runs.values.compactMap(\.details?.url) == ["https://example.org/r"])
        try bench.run(until: "2026-12-02 09:00")
        #expect(
            bench.log == [
                "start c@08:00/daily until 08:15", "start c@08:00/same time until 08:30", "stop c@08:00/daily",
                "c@08:00/daily ran 07:59-08:15", "stop c@08:00/same time", "c@08:00/same time ran 07:59-08:30",
                "start c@12-02 08:00/daily until 12-02 08:15", "stop c@12-02 08:00/daily",
                "c@12-02 08:00/daily ran 12-02 07:59-12-02 08:15",
            ])
    }

    @Test func aCalendarThatIsReadAnewStartsNothingTwiceAndFindsWhatIsNew() throws {
        var bench = try Bench("2026-11-30 07:00")
        try bench.add(schedule)
        let first = "UID:a\nDTSTART:20261130T080000Z\nDURATION:PT1H"
        bench.handle(.calendarRead(schedule.id, try calendar(first)))
        try bench.run(until: "2026-11-30 08:10")
        bench.handle(
            .calendarRead(
                schedule.id,
                try calendar(
                    first, "UID:new\nDTSTART:20261130T080500Z\nDURATION:PT10M",
                    "UID:over\nDTSTART:20261130T073000Z\nDURATION:PT10M")))
        bench.handle(
            .calendarRead(
                schedule.id,
                try calendar(
                    first, "UID:new\nDTSTART:20261130T080500Z\nDURATION:PT10M",
                    "UID:over\nDTSTART:20261130T073000Z\nDURATION:PT10M")))
        #expect(
            bench.log == [
                "start c@08:00/a until 09:00", "c@07:30/over missed: its time had passed when it was entered",
                "start c@08:05/new until 08:15",
            ])
    }

    @Test func eventsAreMovedAndCancelledUntilTheyStart() throws {
        var bench = try Bench("2026-11-30 07:00")
        try bench.add(schedule)
        bench.handle(
            .calendarRead(
                schedule.id, try calendar("UID:a\nDTSTART:20261130T080000Z", "UID:b\nDTSTART:20261130T080000Z")))
        bench.handle(
            .calendarRead(
                schedule.id,
                try calendar("UID:a\nDTSTART:20261130T090000Z", "UID:b\nDTSTART:20261130T080000Z\nSTATUS:CANCELLED")))
        try bench.run(until: "2026-11-30 10:00")
        #expect(bench.log == ["start c@09:00/a until 09:30", "stop c@09:00/a", "c@09:00/a ran 08:59-09:30"])
    }

    @Test func aRestartWaitsForTheCalendarAndThenAccountsForWhatWasMissed() throws {
        var bench = try Bench("2026-11-30 07:00")
        try bench.add(schedule)
        let events = try calendar(
            "UID:a\nDTSTART:20261130T080000Z\nDURATION:PT1H", "UID:b\nDTSTART:20261130T120000Z\nDURATION:PT1H",
            "UID:far\nRRULE:FREQ=WEEKLY;INTERVAL=3\nDTSTART:20261109T090000Z")
        bench.handle(.calendarRead(schedule.id, events))
        try bench.restart(at: "2026-11-30 12:30")
        #expect(bench.log == [])
        try bench.run(until: "2026-11-30 12:31")
        bench.handle(.calendarRead(schedule.id, events))
        #expect(
            bench.log.sorted() == [
                "c@08:00/a missed: the daemon was not running when it was due",
                "c@09:00/far missed: the daemon was not running when it was due", "start c@12:00/b until 13:00",
            ])
        bench.log = []
        try bench.run(until: "2026-12-22 00:00")
        #expect(bench.log.filter { $0.hasPrefix("start") } == ["start c@12-21 09:00/far until 12-21 09:30"])
    }
}
