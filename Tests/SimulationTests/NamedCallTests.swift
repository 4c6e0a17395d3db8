import CallbotTesting
import MediaTypes
import RTP
import Simulation
import Testing

/// One call for each thing that a sender, a server or a network may do to the clocks. What must hold is as with
/// `RandomCallTests`.
@Suite struct NamedCallTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var duration = Duration.seconds(90)
        var change: @Sendable (inout SimulatedCall.Plan) -> Void

        init(
            _ words: String, _ duration: Duration = .seconds(90),
            _ change: @escaping @Sendable (inout SimulatedCall.Plan) -> Void
        ) {
            testDescription = words
            self.duration = duration
            self.change = change
        }
    }

    /// Of a network with a little of everything.
    static func plan(
        _ duration: Duration, audio: (inout RTPSender.Plan) -> Void = { _ in },
        video: (inout RTPSender.Plan) -> Void = { _ in }
    ) -> SimulatedCall.Plan {
        var plan = SimulatedCall.Plan()
        plan.seed = 7
        plan.duration = duration
        plan.downlink.loss = 0.02
        plan.downlink.delay = .milliseconds(30)
        plan.downlink.jitter = .milliseconds(20)
        plan.uplink.delay = .milliseconds(30)
        plan.addParticipant(audio: audio, video: video)
        return plan
    }

    static func second(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    static func onBoth(_ change: (inout RTPSender.Plan) -> Void, in plan: inout SimulatedCall.Plan) {
        for track in plan.tracks.indices { change(&plan.tracks[track]) }
    }

    static let cases =
        [
            Case("five percent loss and a round trip of 100 ms") {
                $0.downlink.loss = 0.05
                $0.downlink.delay = .milliseconds(50)
                $0.uplink.delay = .milliseconds(50)
                $0.uplink.loss = 0.05
            },
            Case("twenty percent loss in bursts") {
                $0.downlink.loss = 0.2
                $0.downlink.meanBurst = 4
            },
            Case("twenty percent loss in bursts, and nothing can be asked for again") {
                $0.downlink.loss = 0.2
                $0.downlink.meanBurst = 4
                $0.hasRetransmission = false
            },
            Case("an outage of three seconds") { $0.outages = [second(30)..<second(33)] },
            Case("reordering across the wrap of the sequence numbers and of RTP time") {
                $0.downlink.reordering = 0.2
                $0.downlink.duplication = 0.1
                onBoth(
                    {
                        $0.firstSequenceNumber = 65_400
                        $0.firstTimestamp = UInt32.max - UInt32($0.clockRate * 20)
                    }, in: &$0)
            },
            Case("the server's clock wraps, as in 2036") {
                onBoth({ $0.reportClockStart = ((1 << 32) - 40) * 1_000_000_000 }, in: &$0)
            },
            Case("an app that sleeps for 30 s, and whose timestamps do") {
                onBoth({ $0.sleeps = [second(30)..<second(60)] }, in: &$0)
                $0.duration = .seconds(120)
            },
            Case("an app that sleeps for 2 s, and whose reports go on meanwhile") {
                onBoth(
                    {
                        $0.sleeps = [second(30)..<second(32)]
                        $0.reportStyle = .relay
                    }, in: &$0)
            },
            Case("a pause of 40 s, after which timestamps are where time is") {
                onBoth(
                    {
                        $0.pauses = [second(30)..<second(70)]
                        $0.skew = $0.codec == .opus ? 100 : -100
                    }, in: &$0)
                $0.duration = .seconds(120)
            },
            Case("silence that is not sent but for a packet in 400 ms") {
                $0.tracks[0].frameInterval = .milliseconds(400)
                $0.tracks[0].firstReport = .milliseconds(200)
            },
            Case("pictures that count as if 30 came a second, of which 25 do") {
                $0.tracks[1].skew = 200_000
                $0.tracks[1].frameInterval = .milliseconds(40)
            },
            Case("pictures that count as if 30 came a second, of which 36 do, and no reports") {
                $0.tracks[1].skew = -170_000
                $0.tracks[1].frameInterval = .milliseconds(28)
                $0.tracks[1].reportFault = .missing
            },
            Case("clocks that part by 2000 ppm", .seconds(600)) {
                $0.tracks[0].skew = 1000
                $0.tracks[1].skew = -1000
            },
            Case("a server whose clock runs 1000 ppm too fast", .seconds(300)) {
                onBoth({ $0.reportClockSkew = 1000 }, in: &$0)
            },
            Case("sound from the beginning, a picture from 7 s on, and reports from 17 s on") {
                $0.tracks[1].start = second(7)
                onBoth({ $0.firstReport = .seconds(10) }, in: &$0)
            },
            Case("another source in the middle of the picture") {
                $0.tracks[1].mid = (4, "1")
                $0.changes = [(second(40), 1, .newSource(SSRC(99), sequenceNumber: 65_530, timestamp: 0xffff_0000))]
            },
            Case("timestamps that begin anew in the middle of the sound") {
                $0.changes = [(second(40), 0, .newTimestamps(0x7fff_fff0))]
            },
        ]
        + RTPSender.ReportFault.allCases.flatMap { fault in
            [0, 1].map { track in
                Case("reports of the \(track == 0 ? "sound" : "picture") with this fault: \(fault)") {
                    $0.tracks[track].reportFault = fault
                }
            }
        }
        + [Duration.zero, .seconds(2), .seconds(10)].map { delay in
            Case("reports from \(delay) on") { onBoth({ $0.firstReport = delay }, in: &$0) }
        }

    @Test(arguments: cases)
    func holds(_ sample: Case) {
        var plan = Self.plan(sample.duration)
        sample.change(&plan)
        var call = SimulatedCall(plan)
        call.run()
        #expect(call.faults() == [])
    }

    /// RTP time of pictures wraps after thirteen hours and a quarter.
    @Test func timestampsWrapTwice() {
        var plan = Self.plan(
            .seconds(28 * 3600),
            audio: {
                $0.frameInterval = .seconds(4)
                $0.skew = 50
            },
            video: {
                $0.frameInterval = .seconds(8)
                $0.skew = -50
                $0.packetsPerFrame = 1...1
            })
        Self.onBoth({ $0.reportInterval = .seconds(20) }, in: &plan)
        var call = SimulatedCall(plan)
        call.run()
        #expect(call.faults() == [])
    }
}
