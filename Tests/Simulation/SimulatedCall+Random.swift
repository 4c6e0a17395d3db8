package import CallbotTesting
import MediaTypes
import RTP

extension SimulatedCall.Plan {
    /// A call of its own for each seed: of senders with every fault of the clock, over every kind of network.
    package static func random(seed: UInt64) -> Self {
        var generator = SeededGenerator(seed: seed &* 0x9e37_79b9)
        var plan = SimulatedCall.Plan()
        plan.seed = seed
        plan.hasRetransmission = !generator.chance(0.1)
        plan.impair(using: &generator)
        for participant in 0..<(generator.chance(0.15) ? 2 : 1) { plan.add(participant, using: &generator) }
        generator = SeededGenerator(seed: seed &+ 1 << 40)
        for track in plan.tracks.indices { plan.tracks[track].delayCapture(using: &generator) }
        return plan
    }

    /// A participant with a microphone and a camera, whose capture shares one clock.
    package mutating func addParticipant(
        audio: (inout RTPSender.Plan) -> Void = { _ in }, video: (inout RTPSender.Plan) -> Void = { _ in }
    ) {
        let participant = (participants.last ?? -1) + 1
        let base = UInt32(participant) * 10
        var sound = RTPSender.Plan()
        sound.codec = .opus
        sound.ssrc = SSRC(base + 1)
        sound.payloadType = PayloadType(111)
        sound.frameInterval = .milliseconds(60)
        sound.bytesPerPacket = 20
        sound.reportScatter = .milliseconds(10)
        audio(&sound)
        var picture = RTPSender.Plan()
        picture.ssrc = SSRC(base + 2)
        picture.rtxSSRC = SSRC(base + 3)
        picture.frameInterval = .milliseconds(200)
        picture.packetsPerFrame = 1...2
        picture.bytesPerPacket = 24
        picture.reportScatter = .milliseconds(30)
        video(&picture)
        tracks += [sound, picture]
        participants += [participant, participant]
    }

    private mutating func impair(using generator: inout SeededGenerator) {
        let kind = Int.random(in: 0..<4, using: &generator)
        downlink.loss = [0, Double.random(in: 0...0.05, using: &generator), 0.05, 0.2][kind]
        downlink.meanBurst = kind == 3 ? 4 : 1
        downlink.delay = .milliseconds(Int.random(in: 1...50, using: &generator))
        downlink.jitter = .milliseconds(Int.random(in: 0...30, using: &generator))
        if generator.chance(0.3) {
            downlink.reordering = 0.05
            downlink.duplication = 0.03
        }
        uplink.delay = downlink.delay
        uplink.jitter = downlink.jitter
        uplink.loss = kind == 0 ? 0 : 0.02
        if generator.chance(0.1) {
            let start = MonotonicTime(nanoseconds: Int64.random(in: 20...80, using: &generator) * 1_000_000_000)
            outages = [start..<start + .milliseconds(Int.random(in: 100...3000, using: &generator))]
        }
    }

    private mutating func add(_ participant: Int, using generator: inout SeededGenerator) {
        var start: (Int64, Int64) = (0, 0)
        if generator.chance(0.3) { start.1 = 7_000_000_000 } else if generator.chance(0.3) { start.0 = 3_000_000_000 }
        let skews = (0..<2).map { _ in
            let widest = generator.chance(0.2) ? 1000.0 : 100
            return Double.random(in: -widest...widest, using: &generator)
        }
        let style: RTPSender.ReportStyle = generator.chance(0.5) ? .relay : .sender
        let firstReport =
            [Duration.milliseconds(200), .milliseconds(700), .seconds(2), .seconds(10)]
            .randomElement(using: &generator) ?? .zero
        let faults = RTPSender.ReportFault.allCases
        let fault = (0..<2).map { _ in
            generator.chance(0.2) ? faults.randomElement(using: &generator) ?? .none : RTPSender.ReportFault.none
        }
        // The server's clock is one and the same for all.
        let serverSkew = Double(Int(seed % 5) - 2) * 50
        let wraps = seed % 7 == 0
        var silence: (pause: [Range<MonotonicTime>], sleep: [Range<MonotonicTime>]) = ([], [])
        let begin = MonotonicTime(nanoseconds: Int64.random(in: 30...60, using: &generator) * 1_000_000_000)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: silence.sleep = [begin..<begin + .seconds(30)]
        case 1: silence.sleep = [begin..<begin + .milliseconds(Int.random(in: 1500...6000, using: &generator))]
        case 2, 3: silence.pause = [begin..<begin + .milliseconds(Int.random(in: 100...30_000, using: &generator))]
        default: break
        }
        func common(_ sender: inout RTPSender.Plan, _ index: Int) {
            sender.skew = skews[index]
            sender.reportStyle = style
            sender.firstReport = firstReport
            sender.reportFault = fault[index]
            sender.reportClockSkew = serverSkew
            sender.reportClockStart = wraps ? (1 << 32) * 1_000_000_000 - 50_000_000_000 : sender.reportClockStart
            sender.pauses = silence.pause
            sender.sleeps = silence.sleep
            let random = UInt32(truncatingIfNeeded: generator.next())
            sender.firstTimestamp = random % 2 == 0 ? random : UInt32.max - random % 5_000_000
            sender.firstSequenceNumber = random % 3 == 0 ? 65_500 : UInt16(truncatingIfNeeded: random >> 8)
            sender.captureDelay = .milliseconds(index == 0 ? 3 : 8)
            sender.captureJitter = .milliseconds(5)
        }
        addParticipant(
            audio: {
                common(&$0, 0)
                $0.start = MonotonicTime(nanoseconds: start.0)
                if generator.chance(0.1) { $0.frameInterval = .milliseconds(20) }
                if style == .relay { $0.reportScatter = .milliseconds(20) }
            },
            video: {
                common(&$0, 1)
                $0.start = MonotonicTime(nanoseconds: start.1)
                if generator.chance(0.1) { $0.frameInterval = .milliseconds(40) }
                if generator.chance(0.3) { $0.rtxSSRC = nil }
                if generator.chance(0.07) {
                    $0.skew = [-200_000, -70_000, 80_000, 200_000].randomElement(using: &generator) ?? 0
                    $0.frameInterval = .milliseconds(40)
                }
            })
        if generator.chance(0.1) {
            let track = tracks.count - 1 - Int.random(in: 0...1, using: &generator)
            let at = MonotonicTime(nanoseconds: Int64.random(in: 20...90, using: &generator) * 1_000_000_000)
            let change: SimulatedCall.Change =
                generator.chance(0.6)
                ? .newSource(
                    SSRC(1000 + UInt32(track)), sequenceNumber: 65_530,
                    timestamp: UInt32(truncatingIfNeeded: generator.next()))
                : .newTimestamps(UInt32(truncatingIfNeeded: generator.next()))
            changes.append((at, track, change))
            if case .newSource = change {
                for index in tracks.indices where index == track { tracks[index].mid = (4, "\(track)") }
            }
        }
    }
}

extension RTPSender.Plan {
    /// Lets what is captured be on its way to the network for as long as in real ones: some is held up in the beginning, some
    /// time and again, and some more and more.
    fileprivate mutating func delayCapture(using generator: inout SeededGenerator) {
        let second: Int64 = 1_000_000_000
        func moment(_ range: ClosedRange<Int64>) -> MonotonicTime {
            start + .milliseconds(Int.random(in: Int(range.lowerBound)...Int(range.upperBound), using: &generator))
        }
        if generator.chance(0.3) { stalls.append(start..<moment(50...600)) }
        if generator.chance(0.3) {
            for _ in 0..<5 {
                let begin = moment(1000...100_000)
                stalls.append(begin..<begin + .milliseconds(Int.random(in: 50...400, using: &generator)))
            }
        }
        if generator.chance(0.2) {
            let begin = generator.chance(0.5) ? start : moment(0...60_000)
            congestion = [begin..<begin + .nanoseconds(Int64.random(in: 1...4, using: &generator) * second)]
        }
    }
}
