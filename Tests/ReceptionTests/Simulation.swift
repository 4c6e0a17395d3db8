import CallbotTesting
import MediaTypes
import RTP

@testable import Reception

/// Senders, a link each way and a receiver, in virtual time.
struct Simulation {
    var senders: [RTPSender]
    var downlink: LinkEmulator
    var uplink: LinkEmulator
    var receiver: MediaReceiver
    var now = MonotonicTime(nanoseconds: 0)
    var frames: [MediaSectionID: [ReceivedFrame]] = [:]
    /// When each of `frames` was delivered.
    var deliveries: [MediaSectionID: [MonotonicTime]] = [:]
    var events: [ReceptionEvent] = []
    var feedback: [RTCPCompound] = []

    init(
        _ senders: [RTPSender.Plan], impairment: LinkEmulator.Impairment = .init(), seed: UInt64 = 7,
        change: (inout MediaReceiver.Section) -> Void = { _ in }
    ) {
        self.senders = senders.enumerated().map { RTPSender($1, seed: seed &+ UInt64($0)) }
        downlink = LinkEmulator(impairment, seed: seed &+ 100)
        var back = LinkEmulator.Impairment()
        back.delay = impairment.delay
        uplink = LinkEmulator(back, seed: seed &+ 200)
        receiver = MediaReceiver(senderSSRC: SSRC(0xb07), cname: "bot")
        receiver.configure(
            senders.indices.map { index in
                var section = Self.section(of: senders[index], mid: Self.mid(index))
                change(&section)
                return section
            }, at: now)
    }

    static func mid(_ index: Int) -> MediaSectionID { MediaSectionID("\(index)") }

    static func section(of plan: RTPSender.Plan, mid: MediaSectionID) -> MediaReceiver.Section {
        var section = MediaReceiver.Section(
            mid: mid, kind: plan.codec.kind,
            payloadTypes: [plan.payloadType: PayloadFormat(codec: plan.codec, clockRate: plan.clockRate)])
        section.ssrcs = [plan.ssrc]
        if let rtx = plan.rtxSSRC {
            section.rtxSSRCs = [rtx]
            section.rtx = [plan.rtxPayloadType: plan.payloadType]
        }
        section.midExtension = plan.mid?.identifier
        section.audioLevelExtension = plan.audioLevelExtension
        section.videoOrientationExtension = plan.videoOrientationExtension
        section.transportSequenceExtension = plan.transportSequenceExtension
        section.transportFeedback = plan.transportSequenceExtension != nil
        section.nack = true
        section.pli = plan.codec.kind == .video
        return section
    }

    /// Runs until `end`, from event to event.
    mutating func run(until end: MonotonicTime) {
        var idle = 0
        while true {
            let deadlines =
                senders.map(\.nextDeadline) + [downlink.nextDeadline, uplink.nextDeadline, receiver.nextDeadline]
            let next = deadlines.compactMap { $0 }.min() ?? end
            idle = next <= now ? idle + 1 : 0
            precondition(idle < 1000, "a deadline that never passes")
            now = max(now, min(next, end))
            if next >= end { return }
            step()
        }
    }

    mutating func run(for span: Duration) { run(until: now + span) }

    /// Lets the senders end, what is on the way arrive, and the receiver flush.
    mutating func finish() {
        for index in senders.indices { senders[index].plan.end = now }
        run(for: .seconds(3))
        receiver.flush(at: now)
        takeOutputs()
    }

    /// Lets everything happen that is due.
    mutating func step() {
        for index in senders.indices {
            senders[index].wake(at: now)
            while let datagram = senders[index].nextOutput() { downlink.handle(datagram, at: now) }
        }
        downlink.wake(at: now)
        while let datagram = downlink.nextOutput() {
            if PacketDemultiplexer.kind(of: datagram) == .rtp {
                receiver.handleRTP(datagram, at: now)
            } else {
                receiver.handleRTCP(datagram, at: now)
            }
            takeOutputs()
        }
        receiver.wake(at: now)
        takeOutputs()
        uplink.wake(at: now)
        while let datagram = uplink.nextOutput() {
            let compound = RTCPCompound(parsing: datagram)
            for index in senders.indices { senders[index].handle(compound) }
            for index in senders.indices {
                while let datagram = senders[index].nextOutput() { downlink.handle(datagram, at: now) }
            }
        }
    }

    private mutating func takeOutputs() {
        while let output = receiver.nextOutput() {
            switch output {
            case .frame(let mid, let frame):
                frames[mid, default: []].append(frame)
                deliveries[mid, default: []].append(now)
            case .send(let datagram):
                feedback.append(RTCPCompound(parsing: datagram))
                uplink.handle(datagram, at: now)
            case .event(_, let event): events.append(event)
            }
        }
    }
}

extension Simulation {
    func received(_ index: Int) -> [ReceivedFrame] { frames[Self.mid(index)] ?? [] }
    func statistics(_ index: Int) -> ReceptionStatistics? { receiver.statistics(for: Self.mid(index)) }

    /// Capture time minus the moment of sending, of each frame received of sender `index`, in milliseconds. Frames are
    /// found by their content.
    func errors(_ index: Int) -> [Double] {
        var times: [[UInt8]: MonotonicTime] = [:]
        for frame in senders[index].sent { times[frame.payload] = frame.time }
        return received(index).compactMap { frame in
            times[frame.payload].map { (frame.captureTime - $0).seconds * 1000 }
        }
    }
}

/// A VP8 stream and an Opus stream of one sender.
func videoPlan(_ change: (inout RTPSender.Plan) -> Void = { _ in }) -> RTPSender.Plan {
    var plan = RTPSender.Plan()
    change(&plan)
    return plan
}

func audioPlan(_ change: (inout RTPSender.Plan) -> Void = { _ in }) -> RTPSender.Plan {
    var plan = RTPSender.Plan()
    plan.codec = .opus
    plan.ssrc = SSRC(2)
    plan.payloadType = PayloadType(111)
    plan.frameInterval = .milliseconds(20)
    change(&plan)
    return plan
}

func rms(_ values: [Double]) -> Double {
    values.isEmpty ? .infinity : (values.map { $0 * $0 }.reduce(0, +) / Double(values.count)).squareRoot()
}

func mean(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count) }
