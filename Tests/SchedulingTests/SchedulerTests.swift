import Calendar
import JSON
import MediaTypes
import Scheduling
import Testing

@Suite struct SchedulerTests {
    @Test func callsAreJoinedEarlyAndLeftLate() throws {
        var bench = try Bench("2026-11-30 08:00")
        var schedule = try cron("a", "0 9 * * *", minutes: 30)
        schedule.earlyJoin = .seconds(120)
        schedule.lateStop = .seconds(300)
        try bench.add(schedule)
        #expect(bench.scheduler.nextDue(ScheduleID("a")) == (try Bench.time("2026-11-30 09:00")))
        try bench.run(until: "2026-11-30 08:58")
        #expect(bench.takeLog() == ["start a@09:00 until 09:35"])
        try bench.run(until: "2026-12-01 10:00")
        #expect(
            bench.log == [
                "stop a@09:00", "a@09:00 ran 08:58-09:35", "start a@12-01 09:00 until 12-01 09:35",
                "stop a@12-01 09:00", "a@12-01 09:00 ran 12-01 08:58-12-01 09:35",
            ])
    }

    @Test func theDeadlineIsWhenSomethingIsDueAndNotLaterThanAMinute() throws {
        var bench = try Bench("2026-11-30 08:00")
        #expect(bench.scheduler.nextDeadline == nil)
        bench.handle(.timePassed)
        #expect(bench.scheduler.nextDeadline == nil)
        try bench.add(try cron("a", "0 9 * * *", minutes: 30))
        #expect(bench.scheduler.nextDeadline == bench.steady + .seconds(60))
        try bench.run(until: "2026-11-30 08:59:30")
        #expect(bench.scheduler.nextDeadline == bench.steady + .seconds(30))
        try bench.run(until: "2026-11-30 09:29:50")
        #expect(bench.scheduler.nextDeadline == bench.steady + .seconds(10))
    }

    @Test func aCallWithoutALengthEndsByItself() throws {
        var bench = try Bench("2026-11-30 08:59")
        try bench.add(try cron("a", "0 9 * * *", minutes: nil))
        try bench.run(until: "2026-11-30 12:00")
        #expect(bench.takeLog() == ["start a@09:00"])
        let event = EventID(schedule: ScheduleID("a"), due: try Bench.time("2026-11-30 09:00"))
        bench.handle(.runEnded(event))
        bench.handle(.runEnded(event))
        #expect(bench.log == ["a@09:00 ran 09:00-12:00"])
    }

    @Test func severalTimesAreOneSchedule() throws {
        var bench = try Bench("2026-11-30 08:30")
        let times = try ["0 9 * * *", "30 10 * * *", "2026-11-30 09:45"].map { try Schedule.Timing(spelled: $0) }
        try bench.add(
            Schedule(
                id: ScheduleID("a"), timing: .any(times), zone: "UTC", recipe: "r", duration: .seconds(60)))
        try bench.run(until: "2026-11-30 12:00")
        #expect(
            bench.log.filter { $0.hasPrefix("start") }.map { $0.prefix(13) } == [
                "start a@09:00", "start a@09:45", "start a@10:30",
            ])
        #expect(throws: SchedulingError.self) { try Schedule.Timing(spelled: "61 * * * *") }
        #expect(throws: SchedulingError.self) { try Schedule.Timing(spelled: "2026-02-30 09:00") }
        #expect(try !Schedule.Timing(spelled: "0 0 30 2 *").everMatches)
    }

    @Test func singleTimesComeOnceAndAreJoinedLateWhenSomethingIsLeft() throws {
        func once(_ time: String) throws -> Schedule {
            Schedule(
                id: ScheduleID("a"), timing: .once(try OneOffTime(time)), zone: "Europe/Berlin", recipe: "r",
                duration: .seconds(3600))
        }
        var bench = try Bench("2026-11-30 08:30")
        try bench.add(try once("2026-11-30 10:00"))
        try bench.run(until: "2026-12-02 08:30")
        #expect(bench.log == ["start a@09:00 until 10:00", "stop a@09:00", "a@09:00 ran 09:00-10:00"])
        try bench.restart(at: "2026-12-03 08:30")
        #expect(bench.log.count == 3)

        var late = try Bench("2026-11-30 08:30")
        try late.add(try once("2026-11-30 09:00"))
        #expect(late.log == ["start a@08:00 until 09:00"])
        var tooLate = try Bench("2026-11-30 09:30")
        try tooLate.add(try once("2026-11-30 09:00"))
        #expect(tooLate.log == ["a@08:00 missed: its time had passed when it was entered"])
        try tooLate.restart(at: "2026-11-30 09:40")
        #expect(tooLate.log.count == 1)
    }

    @Test(arguments: [
        (
            OverlapPolicy.skip,
            [
                "start a@09:00 until 10:00", "a@09:30 skipped: a@2026-11-30T09:00:00.000Z was still going on",
                "stop a@09:00", "a@09:00 ran 09:00-10:00", "start a@10:00 until 11:00",
            ]
        ),
        (
            .both,
            [
                "start a@09:00 until 10:00", "start a@09:30 until 10:30", "start a@10:00 until 11:00", "stop a@09:00",
                "a@09:00 ran 09:00-10:00",
            ]
        ),
        (
            .stopEarlier,
            [
                "start a@09:00 until 10:00", "stop a@09:00 replaced", "start a@09:30 until 10:30",
                "a@09:00 ran 09:00-09:30", "stop a@09:30 replaced", "start a@10:00 until 11:00",
                "a@09:30 ran 09:30-10:00",
            ]
        ),
    ])
    func overlappingCallsFollowThePolicy(policy: OverlapPolicy, log: [String]) throws {
        var bench = try Bench("2026-11-30 08:59")
        var schedule = try cron("a", "0/30 9,10 * * *")
        schedule.overlap = policy
        try bench.add(schedule)
        try bench.run(until: "2026-11-30 10:00")
        #expect(bench.log.sorted() == log.sorted())
    }

    @Test func callsThatMeetInTheirMarginsDoNotOverlap() throws {
        var bench = try Bench("2026-11-30 08:57")
        var schedule = try cron("a", "0 9,10 * * *")
        schedule.earlyJoin = .seconds(120)
        schedule.lateStop = .seconds(300)
        try bench.add(schedule)
        try bench.run(until: "2026-11-30 11:10")
        #expect(
            bench.log == [
                "start a@09:00 until 10:05", "start a@10:00 until 11:05", "stop a@09:00", "a@09:00 ran 08:58-10:05",
                "stop a@10:00",
                "a@10:00 ran 09:58-11:05",
            ])
    }

    @Test func pausedSchedulesSkipAndGoOnWithWhatComesNext() throws {
        var bench = try Bench("2026-11-30 08:59")
        try bench.add(try cron("a", "0 * * * *", minutes: 10))
        bench.handle(.paused(ScheduleID("a")))
        try bench.run(until: "2026-11-30 10:30")
        bench.handle(.resumed(ScheduleID("a")))
        try bench.run(until: "2026-11-30 11:01")
        #expect(
            bench.log == [
                "a@09:00 skipped: the schedule is paused", "a@10:00 skipped: the schedule is paused",
                "start a@11:00 until 11:10",
            ])
    }

    @Test func countAndUntilEndASchedule() throws {
        var bench = try Bench("2026-11-30 08:59")
        var counted = try cron("a", "0 * * * *", minutes: 10)
        counted.count = 2
        var limited = try cron("b", "0 * * * *", minutes: 10)
        limited.until = try Bench.time("2026-11-30 11:00")
        try bench.add(counted)
        try bench.add(limited)
        try bench.run(until: "2026-11-30 10:30")
        try bench.restart(at: "2026-11-30 10:31")
        try bench.run(until: "2026-11-30 20:00")
        let starts = bench.log.filter { $0.hasPrefix("start") }.map { $0.split(separator: " ")[1] }
        #expect(starts == ["a@09:00", "b@09:00", "a@10:00", "b@10:00", "b@11:00"])
        #expect(bench.scheduler.nextDue(ScheduleID("a")) == nil && bench.scheduler.nextDue(ScheduleID("b")) == nil)
    }

    @Test func failuresAndRefusalsStandInTheHistoryAndAreNotTriedAgain() throws {
        var bench = try Bench("2026-11-30 08:59", maximumRuns: 2)
        bench.answers = false
        for id in ["a", "b", "c"] { try bench.add(try cron(id, "0 9 * * *", minutes: 10)) }
        try bench.run(until: "2026-11-30 09:00")
        bench.handle(.runRefused(EventID(schedule: ScheduleID("a"), due: bench.wall), "the disk is full"))
        bench.handle(.runFailed(EventID(schedule: ScheduleID("b"), due: bench.wall), "no such room"))
        try bench.run(until: "2026-11-30 10:00")
        #expect(
            bench.log == [
                "start a@09:00 until 09:10", "start b@09:00 until 09:10",
                "c@09:00 refused: 2 recordings run already, the most that may",
                "a@09:00 refused: the disk is full", "b@09:00 failed: no such room",
            ])
    }

    @Test func changesAndRemovalsTakeEffectAndRunsGoOn() throws {
        var bench = try Bench("2026-11-30 08:59")
        try bench.add(try cron("a", "0 9 * * *"))
        try bench.run(until: "2026-11-30 09:30")
        try bench.add(try cron("a", "0 8,11 * * *"))
        #expect(bench.takeLog() == ["start a@09:00 until 10:00"])
        bench.handle(.removed(ScheduleID("a")))
        try bench.run(until: "2026-11-30 12:00")
        #expect(bench.log == ["stop a@09:00", "a@09:00 ran 09:00-10:00"])
        #expect(bench.scheduler.schedules.isEmpty && bench.scheduler.nextDeadline == nil)
    }

    @Test func aThousandSchedulesDueAtOnceAreStartedInOneStep() throws {
        var bench = try Bench("2026-11-30 08:59")
        for number in 0..<1000 { try bench.add(try cron("s\(number)", "0 9 * * *")) }
        let clock = ContinuousClock()
        bench.pass(.seconds(60))
        let span = clock.measure { bench.handle(.timePassed) }
        #expect(bench.log.count == 1000 && Set(bench.log).count == 1000)
        #expect(span < .seconds(20))
        let json = bench.scheduler.json
        let restored = try Scheduler(restoring: json)
        #expect(restored.json == json && restored.runs.count == 1000)
    }

    /// Clocks of the zone are put forward and back; each day's call comes once.
    @Test(arguments: [
        ("Europe/Berlin", "30 2 * * *", "2026-03-28 12:00", ["2026-03-29T01:00", "2026-03-30T00:30"]),
        ("Europe/Berlin", "30 2 * * *", "2026-10-24 12:00", ["2026-10-25T00:30", "2026-10-26T01:30"]),
        ("Europe/Berlin", "0 * * * *", "2026-10-24 23:30", ["2026-10-25T00:00", "2026-10-25T01:00"]),
        ("Pacific/Apia", "0 9 * * *", "2011-12-29 12:00", ["2011-12-29T19:00", "2011-12-30T19:00"]),
        ("UTC", "0 12 29 2 *", "2096-02-28 00:00", ["2096-02-29T12:00"]),
        ("America/New_York", "59 23 31 12 *", "2026-12-31 12:00", ["2027-01-01T04:59"]),
    ])
    func schedulesFollowTheClocksOfTheirZone(zone: String, expression: String, start: String, dues: [String]) throws {
        var bench = try Bench(start)
        try bench.add(try cron("a", expression, zone: zone, minutes: 5))
        for _ in 0..<48 * 60 {
            bench.pass(.seconds(60))
            bench.handle(.timePassed)
        }
        let starts = bench.log.filter { $0.hasPrefix("start") }
        let wanted = dues.map { due in
            "start a@" + (due.hasPrefix(start.prefix(10)) ? "" : due.dropFirst(5).prefix(5) + " ") + due.suffix(5)
                + " until"
        }
        #expect(zip(starts, wanted).allSatisfy { $0.hasPrefix($1) } && starts.count >= wanted.count, "\(starts)")
        #expect(Set(starts).count == starts.count)
    }
}
