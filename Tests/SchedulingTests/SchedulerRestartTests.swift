import Calendar
import CallbotTesting
import JSON
import MediaTypes
import Scheduling
import Testing

/// Restarts and clocks that are set: each call is started once, or the history says why not.
@Suite struct SchedulerRestartTests {
    @Test(arguments: [
        (MissedRunPolicy.skip, "2026-11-30 09:20", ["a@09:00 missed: the daemon was not running when it was due"]),
        (.remainder, "2026-11-30 09:20", ["start a@09:00 until 10:00"]),
        (.remainder, "2026-11-30 10:20", ["a@09:00 missed: the daemon was not running when it was due"]),
        (.late(upTo: .seconds(1800)), "2026-11-30 09:20", ["start a@09:00 until 10:20"]),
        (
            .late(upTo: .seconds(1800)), "2026-11-30 09:40",
            ["a@09:00 missed: the daemon was not running when it was due"]
        ),
        (.skip, "2026-11-30 09:00:30", ["start a@09:00 until 10:00"]),
    ])
    func aRestartOverADueTimeFollowsThePolicy(policy: MissedRunPolicy, back: String, log: [String]) throws {
        var bench = try Bench("2026-11-30 08:00")
        var schedule = try cron("a", "0 9 * * *")
        schedule.missedRuns = policy
        try bench.add(schedule)
        try bench.run(until: "2026-11-30 08:50")
        try bench.restart(at: back)
        #expect(bench.takeLog() == log)
        try bench.restart(at: "2026-11-30 10:30", recordingsEnd: false)
        #expect(bench.log.allSatisfy { !$0.hasPrefix("start") && !$0.contains("missed") })
    }

    @Test func ofSeveralMissedCallsTheLastIsJoined() throws {
        var bench = try Bench("2026-11-30 08:01")
        try bench.add(try cron("a", "*/20 * * * *"))
        try bench.restart(at: "2026-11-30 10:30")
        #expect(
            bench.log == [
                "a@08:20", "a@08:40", "a@09:00", "a@09:20",
            ].map { "\($0) missed: the daemon was not running when it was due" } + [
                "a@10:00 missed: a@2026-11-30T10:20:00.000Z took its place",
                "a@09:40 missed: a@2026-11-30T10:20:00.000Z took its place",
                "start a@10:20 until 11:20",
            ])
    }

    @Test func recordingsThatLiveThroughARestartGoOnToTheirPlannedEnd() throws {
        var bench = try Bench("2026-11-30 08:59")
        try bench.add(try cron("a", "0 9 * * *"))
        try bench.run(until: "2026-11-30 09:10")
        try bench.restart(at: "2026-11-30 09:20")
        try bench.run(until: "2026-11-30 10:30")
        #expect(bench.log == ["start a@09:00 until 10:00", "stop a@09:00", "a@09:00 ran 09:00-10:00"])
    }

    @Test func recordingsThatEndedMeanwhileAreResumedWhenSomethingIsLeft() throws {
        var bench = try Bench("2026-11-30 08:59")
        try bench.add(try cron("a", "0 9 * * *"))
        try bench.run(until: "2026-11-30 09:10")
        try bench.restart(at: "2026-11-30 09:20", recordingsEnd: true)
        try bench.run(until: "2026-11-30 10:30")
        #expect(
            bench.log == [
                "start a@09:00 until 10:00", "resume a@09:00 until 10:00", "stop a@09:00", "a@09:00 ran 09:00-10:00",
            ])

        var late = try Bench("2026-11-30 08:59")
        try late.add(try cron("a", "0 9 * * *"))
        try late.run(until: "2026-11-30 09:10")
        try late.restart(at: "2026-11-30 10:20", recordingsEnd: true)
        #expect(
            late.log == [
                "start a@09:00 until 10:00", "a@09:00 failed: the recording ended while the daemon was not running",
            ])
    }

    @Test func aRunThatNobodyKnowsWhetherItStartedIsSettledByRestored() throws {
        var bench = try Bench("2026-11-30 08:59")
        bench.answers = false
        try bench.add(try cron("a", "0 9 * * *"))
        try bench.run(until: "2026-11-30 09:00")
        try bench.restart(at: "2026-11-30 09:05")
        #expect(bench.takeLog() == ["start a@09:00 until 10:00", "start a@09:00 until 10:00"])
        try bench.restart(at: "2026-11-30 10:05")
        #expect(bench.log == ["a@09:00 missed: the daemon ended while it was to start"])
    }

    @Test func aClockThatIsPutBackStartsNothingTwice() throws {
        var bench = try Bench("2026-11-30 08:50")
        try bench.add(try cron("a", "0 * * * *", minutes: 30))
        try bench.run(until: "2026-11-30 09:10")
        try bench.set("2026-11-30 08:30")
        try bench.run(until: "2026-11-30 10:10")
        // The recording keeps its length on the steady clock: half an hour from 09:00, which is 08:50 by the clock as
        // it is set.
        #expect(
            bench.log == [
                "start a@09:00 until 09:30", "stop a@09:00", "a@09:00 ran 09:00-08:50", "start a@10:00 until 10:30",
            ])
    }

    @Test func whatAWrongClockMissedComesWhenItIsRight() throws {
        var bench = try Bench("2026-11-30 08:50")
        try bench.add(try cron("a", "0 9 * * *", minutes: 30))
        try bench.set("2027-11-30 08:50")
        #expect(bench.log.count == 101)
        #expect(bench.log.first == "a@09:00 missed: the clock was set forward over it")
        #expect(bench.log.last?.contains("with all that was due until") == true)
        bench.log = []
        try bench.set("2026-11-30 08:55")
        try bench.run(until: "2026-11-30 09:31")
        #expect(bench.log == ["start a@09:00 until 09:30", "stop a@09:00", "a@09:00 ran 09:00-09:30"])
    }

    @Test func aClockThatIsPutForwardJoinsWhatIsLeftAndCutsNoRecording() throws {
        var bench = try Bench("2026-11-30 08:50")
        try bench.add(try cron("a", "0 9 * * *", minutes: 30))
        try bench.set("2026-11-30 09:10")
        #expect(bench.takeLog() == ["start a@09:00 until 09:30"])
        bench.pass(.seconds(60))
        try bench.set("2026-11-30 12:00")
        #expect(bench.log == [])
        bench.pass(.seconds(20 * 60))
        bench.handle(.timePassed)
        #expect(bench.log == ["stop a@09:00", "a@09:00 ran 09:10-12:20"])
    }

    @Test func aHostThatStartsIn1970AndThenLearnsTheTimeTellsOnlyWhatIsNew() throws {
        var bench = try Bench("2026-11-30 08:30")
        try bench.add(try cron("a", "0 * * * *", minutes: 10))
        try bench.run(until: "2026-11-30 09:30")
        bench.log = []
        try bench.restart(at: "1970-01-01 00:05")
        #expect(bench.log == [])
        bench.pass(.seconds(30))
        try bench.set("2026-11-30 11:05")
        #expect(bench.log == ["a@10:00 missed: the clock was set forward over it", "start a@11:00 until 11:10"])
    }

    @Test func plannedEndsAreKeptAlsoWhenNobodySaysWhatLives() throws {
        var bench = try Bench("2026-11-30 08:59")
        try bench.add(try cron("a", "0 9 * * *", minutes: 10))
        try bench.run(until: "2026-11-30 09:05")
        bench.scheduler = try Scheduler(restoring: bench.scheduler.json)
        bench.steady = MonotonicTime(nanoseconds: 77)
        bench.handle(.timePassed)
        try bench.run(until: "2026-11-30 09:11")
        #expect(bench.log == ["start a@09:00 until 09:10", "stop a@09:00", "a@09:00 ran 09:00-09:10"])
    }

    @Test func smallCorrectionsOfTheClockStartNothingTwice() throws {
        var bench = try Bench("2026-11-30 08:59:50")
        try bench.add(try cron("a", "* * * * *", minutes: nil))
        var random = SeededGenerator(seed: 4)
        bench.answers = false
        for _ in 0..<400 {
            bench.pass(.seconds(5))
            bench.wall = bench.wall + .milliseconds(Int.random(in: -3000...3000, using: &random))
            bench.handle(.timePassed)
            for run in bench.scheduler.runs.keys { bench.handle(.runEnded(run)) }
        }
        let starts = bench.log.filter { $0.hasPrefix("start") }
        #expect(starts.count > 25 && Set(starts).count == starts.count)
        #expect(!bench.log.contains { $0.contains("missed") })
    }

    /// Whatever happens to clocks and daemon, no event is started twice, and none is left without a word.
    @Test(arguments: 0..<12) func everyEventIsStartedOnceOrAccountedFor(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 900)
        var bench = try Bench("2026-03-28 08:00")
        let expressions = ["0 * * * *", "*/30 * * * *", "15 9,10,11 * * *", "0 2 * * *"]
        for (index, expression) in expressions.enumerated() {
            var schedule = try cron("s\(index)", expression, zone: "Europe/Berlin", minutes: [20, 45, nil, 90][index])
            schedule.overlap = [.skip, .both, .stopEarlier].randomElement(using: &random) ?? .skip
            schedule.missedRuns =
                [.skip, .remainder, .late(upTo: .seconds(1200))].randomElement(using: &random) ?? .skip
            schedule.earlyJoin = .seconds(Int.random(in: 0...180, using: &random))
            try bench.add(schedule)
        }
        let begin = bench.wall
        var reached = bench.wall
        for _ in 0..<300 {
            let wall = bench.wall
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                try bench.restart(
                    at: (wall + .seconds(Int.random(in: 1...5000, using: &random))).iso8601,
                    recordingsEnd: random.chance(0.5))
            case 1: try bench.set((wall + .seconds(-Int.random(in: 1...4000, using: &random))).iso8601)
            case 2: try bench.set((wall + .seconds(Int.random(in: 1...4000, using: &random))).iso8601)
            default: try bench.run(until: (wall + .seconds(Int.random(in: 1...1800, using: &random))).iso8601)
            }
            reached = max(reached, bench.wall)
        }
        let starts = bench.log.filter { $0.hasPrefix("start") }
        #expect(Set(starts.map { $0.split(separator: " until")[0] }).count == starts.count)
        let zone = try #require(POSIXTimeZone("CET-1CEST,M3.5.0,M10.5.0/3"))
        let log = bench.log.joined(separator: "\n")
        for schedule in bench.scheduler.schedules {
            guard case .cron(let cron) = schedule.timing else { continue }
            for due in cron.occurrences(after: begin, in: zone) {
                if due >= min(reached, bench.wall) { break }
                let text = due.iso8601
                let name =
                    (text.hasPrefix("2026-03-28") ? "" : text.dropFirst(5).prefix(5) + " ")
                    + text.dropFirst(11).prefix(5)
                #expect(log.contains("\(schedule.id)@\(name)"), "\(schedule.id)@\(name)")
            }
        }
    }
}
