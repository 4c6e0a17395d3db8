import CallbotTesting
import MediaTypes
import RTP
import Testing

@testable import Reception

/// Whether frames are dated rightly. Errors are in milliseconds, against the moment of sending.
@Suite struct ClockTests {
    @Test func scatteredReportsDoNotScatterTheFrames() {
        var impairment = LinkEmulator.Impairment()
        impairment.delay = .milliseconds(20)
        impairment.jitter = .milliseconds(10)
        var simulation = Simulation(
            [
                videoPlan { $0.reportScatter = .milliseconds(30) },
                audioPlan { $0.reportScatter = .milliseconds(10) },
            ], impairment: impairment)
        simulation.run(for: .seconds(120))
        simulation.finish()
        // Delay on the way cannot be known: 20 ms of it are no error.
        let video = simulation.errors(0).map { $0 - 20 }
        let audio = simulation.errors(1).map { $0 - 20 }
        #expect(video.count > 2900 && audio.count > 5900)
        #expect(rms(video) < 15)
        #expect(rms(audio) < 8)
        #expect(abs(mean(video) - mean(audio)) < 10)
        // From frame to frame the error hardly moves.
        #expect(zip(video, video.dropFirst()).allSatisfy { abs($1 - $0) <= 1 })
        #expect(simulation.events.isEmpty)
    }

    @Test(arguments: [(-300.0, 0.0, true), (100, -50, true), (0, 200, true), (100, 0, false)])
    func clocksThatRunApartAreFollowedForAnHour(skew: Double, reportSkew: Double, sendsReports: Bool) {
        var impairment = LinkEmulator.Impairment()
        impairment.delay = .milliseconds(20)
        impairment.jitter = .milliseconds(10)
        var simulation = Simulation(
            [
                videoPlan {
                    $0.frameInterval = .milliseconds(200)
                    $0.packetsPerFrame = 1...1
                    $0.skew = -skew
                    $0.reportClockSkew = reportSkew
                    $0.sendsReports = sendsReports
                    $0.reportScatter = .milliseconds(15)
                    $0.firstTimestamp = 0xf000_0000
                },
                audioPlan {
                    $0.frameInterval = .milliseconds(60)
                    $0.skew = skew
                    $0.reportClockSkew = reportSkew
                    $0.sendsReports = sendsReports
                    $0.reportScatter = .milliseconds(10)
                    $0.firstTimestamp = 0xffff_0000
                },
            ], impairment: impairment)
        simulation.run(for: .seconds(3600))
        simulation.finish()
        for index in 0...1 {
            let errors = simulation.errors(index).map { $0 - 20 }
            #expect(errors.count == simulation.senders[index].sent.count)
            #expect(rms(errors) < 10)
            #expect(errors.allSatisfy { abs($0) < 30 })
            #expect(rms(errors.suffix(errors.count / 10)) < 10)
        }
        #expect(simulation.events.isEmpty)
    }

    /// What waited for the connection, or for the processor, comes late and all at once.
    @Test(arguments: [100, 300, 540])
    func whatCameLateInTheBeginningPutsNothingOut(milliseconds: Int) {
        let stall = MonotonicTime(nanoseconds: 0)..<MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
        var simulation = Simulation([videoPlan { $0.stalls = [stall] }, audioPlan { $0.stalls = [stall] }])
        simulation.run(for: .seconds(20))
        simulation.finish()
        for index in 0...1 {
            #expect(simulation.received(index).count == simulation.senders[index].sent.count)
            #expect(simulation.errors(index).allSatisfy { abs($0) < 1 })
        }
    }

    /// It looks like timestamps that run too slowly.
    @Test func aQueueThatGrowsForSomeSecondsIsNoWrongRate() {
        let start = MonotonicTime(nanoseconds: 0)
        var simulation = Simulation([videoPlan { $0.congestion = [start..<start + .seconds(4)] }])
        simulation.run(for: .seconds(20))
        simulation.finish()
        #expect(simulation.errors(0).allSatisfy { abs($0) < 20 })
    }

    @Test func timesNeverGoBackwardsWhateverTheNetworkDoes() {
        var impairment = LinkEmulator.Impairment()
        impairment.loss = 0.1
        impairment.meanBurst = 4
        impairment.delay = .milliseconds(30)
        impairment.jitter = .milliseconds(150)
        impairment.reordering = 0.1
        impairment.reorderingDelay = .milliseconds(60)
        var simulation = Simulation(
            [videoPlan { $0.reportScatter = .milliseconds(100) }, audioPlan { $0.reportScatter = .milliseconds(100) }],
            impairment: impairment)
        simulation.run(for: .seconds(60))
        simulation.finish()
        for index in 0...1 {
            let times = simulation.received(index).map(\.captureTime)
            #expect(times.count > 1000)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test(arguments: [0, 1000, 0x7fff_ffff, 0xffff_ffff] as [UInt32])
    func timestampsThatBeginAnewAreAnchoredByArrival(timestamp: UInt32) {
        var simulation = Simulation([videoPlan { $0.firstTimestamp = 500_000_000 }])
        simulation.run(for: .seconds(5))
        simulation.senders[0].restart(timestamp: timestamp)
        simulation.run(for: .seconds(5))
        simulation.finish()
        #expect(simulation.received(0).count == simulation.senders[0].sent.count)
        #expect(simulation.errors(0).allSatisfy { abs($0) < 1 })
        #expect(simulation.events.count == 1)
        guard case .clockJumped? = simulation.events.first else {
            Issue.record("no word of the jump")
            return
        }
    }

    @Test func aPauseInWhichTimestampsStandStillIsSeenInTheReports() throws {
        var simulation = Simulation([videoPlan()])
        simulation.run(for: .milliseconds(10_010))
        // As if two seconds had passed that the timestamps know nothing of.
        simulation.senders[0].restart(timestamp: UInt32(8.04 * 90_000))
        simulation.run(for: .seconds(20))
        simulation.finish()
        let late = simulation.errors(0).suffix(400)
        #expect(late.allSatisfy { abs($0) < 20 })
        #expect(simulation.events.count == 1)
    }

    @Test func aServerWhoseClockIsSetChangesNothing() {
        var remote = RemoteClock()
        var clock = MediaClock(clockRate: 90_000, kind: .video)
        let start: Int64 = 3_900_000_000_000_000_000
        for second in Int64(0)..<60 {
            let now = MonotonicTime(nanoseconds: second * 1_000_000_000 + 5_000_000)
            let timestamp = UInt32(second) * 90_000
            clock.packetArrived(timestamp, at: now)
            let step: Int64 = second < 30 ? 0 : second < 45 ? 3_600_000_000_000 : -86_400_000_000_000
            let ntp = NTPTime(nanoseconds: start + second * 1_000_000_000 + step)
            if let time = remote.reportArrived(ntp, at: now).flatMap(remote.localTime) {
                clock.reportArrived(rtpTimestamp: timestamp, local: time)
            }
            let moment = clock.moment(of: timestamp)
            #expect(moment.jump == nil)
            #expect(abs((moment.time - now).nanoseconds) < 1_000_000)
        }
    }

    @Test func aReportThatIsWrongAloneIsPassedOver() {
        var remote = RemoteClock()
        var clock = MediaClock(clockRate: 90_000, kind: .video)
        let start: Int64 = 3_900_000_000_000_000_000
        for second in Int64(0)..<60 {
            let now = MonotonicTime(nanoseconds: second * 1_000_000_000)
            let timestamp = UInt32(second) * 90_000
            clock.packetArrived(timestamp, at: now)
            let ntp =
                second % 10 == 7 ? NTPTime(0x1234_5678_9abc_def0) : NTPTime(nanoseconds: start + second * 1_000_000_000)
            if let time = remote.reportArrived(ntp, at: now).flatMap(remote.localTime) {
                let wrong: UInt32 = second % 10 == 5 ? 900_000 : 0
                clock.reportArrived(rtpTimestamp: timestamp &+ wrong, local: time)
            }
            let moment = clock.moment(of: timestamp)
            #expect(moment.jump == nil)
            #expect(abs((moment.time - now).nanoseconds) < 1_000_000)
        }
    }
}
