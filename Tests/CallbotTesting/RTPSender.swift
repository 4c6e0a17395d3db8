package import MediaTypes
package import RTP

/// A sender of one stream of synthetic media: numbered frames, sender reports, and answers to NACK and PLI.
package struct RTPSender: Sendable {
    package struct Plan: Sendable {
        package var codec = Codec.vp8
        package var clockRate: Int { codec == .opus ? 48_000 : 90_000 }
        package var ssrc = SSRC(1)
        package var payloadType = PayloadType(96)
        /// Retransmissions go as a stream of their own (RFC 4588) when these are set, else as they were.
        package var rtxSSRC: SSRC?
        package var rtxPayloadType = PayloadType(97)
        package var frameInterval = Duration.milliseconds(40)
        /// Packets of a picture; a keyframe has three times as many.
        package var packetsPerFrame = 1...4
        package var framesPerKeyframe = 100_000
        package var firstSequenceNumber: UInt16 = 0
        package var firstTimestamp: UInt32 = 0
        /// How much too fast the media clock runs, in millionths.
        package var skew = 0.0
        /// How much too fast the clock of the sender reports runs, in millionths.
        package var reportClockSkew = 0.0
        package var sendsReports = true
        /// Reports state an RTP time that is wrong by up to this, either way.
        package var reportScatter = Duration.zero
        /// The first report is sent so much after the first frame.
        package var firstReport = Duration.milliseconds(700)
        package var reportInterval = Duration.seconds(1)
        package var reportStyle = ReportStyle.sender
        package var reportFault = ReportFault.none
        /// What the reports' clock shows at the moment zero, in nanoseconds since 1900.
        package var reportClockStart: Int64 = 3_900_000_000_000_000_000
        /// How long a frame is on its way from where it was captured to where it is sent.
        package var captureDelay = Duration.zero
        /// What it takes more, evenly spread from nothing to this. Changes no order.
        package var captureJitter = Duration.zero
        /// What would leave during one of these leaves at its end: a process that did not get the processor, a connection
        /// that is only being made.
        package var stalls: [Range<MonotonicTime>] = []
        /// During these a queue grows by a tenth of the time; afterwards it empties as fast.
        package var congestion: [Range<MonotonicTime>] = []
        /// Nothing is sent, and timestamps go on as time does.
        package var pauses: [Range<MonotonicTime>] = []
        /// Nothing is sent, and timestamps go on afterwards where they stopped.
        package var sleeps: [Range<MonotonicTime>] = []
        /// Bytes of each packet of a picture, from 20 on.
        package var bytesPerPacket = 100
        /// A frame's payload, but for its number, which is added behind it; nil for noise.
        package var content: (@Sendable (_ captured: MonotonicTime, _ wantsKeyframe: Bool) -> Content)?
        /// Whether `sent` keeps the payloads.
        package var keepsPayloads = true
        /// The mid and its extension's identifier.
        package var mid: (identifier: UInt8, value: String)?
        package var audioLevelExtension: UInt8?
        package var transportSequenceExtension: UInt8?
        package var videoOrientationExtension: UInt8?
        package var start = MonotonicTime(nanoseconds: 0)
        package var end = MonotonicTime(nanoseconds: .max)

        package init() {}
    }

    /// What a frame is made of.
    package struct Content: Sendable {
        package var payload: [UInt8]
        package var isKeyframe: Bool
        package init(payload: [UInt8], isKeyframe: Bool = true) {
            self.payload = payload
            self.isKeyframe = isKeyframe
        }
    }

    /// Who makes the reports.
    package enum ReportStyle: Sendable {
        /// The sender, who knows what its timestamps mean.
        case sender
        /// A relay, which takes the packet it has relayed last as captured then, and counts on from there, though nothing
        /// is sent.
        case relay
    }

    /// What is wrong with the reports.
    package enum ReportFault: Sendable, Equatable, CaseIterable {
        case none
        /// None is sent.
        case missing
        /// All say that it is the year 1900.
        case zero
        /// The clock is decades off.
        case decadesOff
        /// The clock is another one in each.
        case jumpingClock
        /// The RTP time is another one in each.
        case jumpingTimestamp
        /// The RTP time is 20 s off.
        case wrongTimestamp
        /// The clock is set forward by an hour after 30 s, and back after 60 s.
        case clockIsSet
    }

    /// What was put into a frame, and when.
    package struct SentFrame: Sendable {
        package var time: MonotonicTime
        package var isKeyframe: Bool
        /// Empty when it is not kept.
        package var payload: [UInt8]
        /// How many packets it is sent in.
        package var packetCount: Int
        /// The source it is of, counted from zero.
        package var epoch: Int
    }

    package var plan: Plan
    /// How the pictures from now on are to be turned. Said with the last packet of a frame, where it is a keyframe, or differs
    /// from the last one, or is not upright.
    package var rotation = PictureRotation.none
    private var rotationSaid = PictureRotation.none
    package private(set) var sent: [SentFrame] = []
    /// Of the packets last sent with each sequence number, which frame each belongs to; negative for none.
    package private(set) var frameOfPacket: [Int32] = []
    /// How often it has gone on as another source.
    package private(set) var epoch = 0
    package private(set) var keyframeRequests = 0
    package private(set) var retransmissions = 0
    /// Bodies of the report blocks received about this source.
    package private(set) var lastReport: ReportBlock?

    private var generator: SeededGenerator
    private var outputs = OutputQueue<[UInt8]>()
    private var frameDue: MonotonicTime
    private var reportDue: MonotonicTime
    private var sequenceNumber: SequenceNumber
    private var rtxSequenceNumber = SequenceNumber(40_000)
    private var transportSequenceNumber = SequenceNumber(65_000)
    /// The packets that can be repeated, each where the low bits of its number say.
    private var history: [OutgoingRTPPacket?] = []
    private static let memory = 2048
    private var wantsKeyframe = true
    private var framesSinceKeyframe = 0
    private var pictureID: UInt16 = 0x7ffe
    private var packetCount: UInt32 = 0
    /// Packets of captured frames that are not sent yet.
    private var delayed = OutputQueue<(due: MonotonicTime, packets: [OutgoingRTPPacket])>()
    private var nextDelayed: (due: MonotonicTime, packets: [OutgoingRTPPacket])?
    private var lastDeparture = MonotonicTime(nanoseconds: .min)
    /// The timestamp sent last, and when.
    private var relayed: (timestamp: UInt32, at: MonotonicTime)?

    package init(_ plan: Plan, seed: UInt64) {
        self.plan = plan
        generator = SeededGenerator(seed: seed)
        frameDue = plan.start
        reportDue = plan.start + plan.firstReport
        sequenceNumber = SequenceNumber(plan.firstSequenceNumber)
    }

    package var nextDeadline: MonotonicTime? {
        let due = sendsReports ? min(frameDue, reportDue) : frameDue
        return earliest(due < plan.end ? due : nil, nextDelayed?.due)
    }

    private var sendsReports: Bool { plan.sendsReports && plan.reportFault != .missing }

    package mutating func nextOutput() -> [UInt8]? { outputs.next() }

    package mutating func wake(at now: MonotonicTime) {
        sendDelayed(at: now)
        guard now < plan.end else { return }
        while frameDue <= now {
            if let silence = silence(at: frameDue) {
                // Goes on with the first frame of the same count that is behind it.
                let interval = plan.frameInterval.nanoseconds
                let missed = ((silence.upperBound - frameDue).nanoseconds + interval - 1) / interval
                frameDue = frameDue + .nanoseconds(missed * interval)
                continue
            }
            send(frameAt: frameDue)
            frameDue = frameDue + plan.frameInterval
        }
        while sendsReports, reportDue <= now {
            report(at: reportDue)
            reportDue = reportDue + plan.reportInterval
        }
    }

    private func silence(at time: MonotonicTime) -> Range<MonotonicTime>? {
        if plan.pauses.isEmpty, plan.sleeps.isEmpty { return nil }
        return plan.pauses.first { $0.contains(time) } ?? plan.sleeps.first { $0.contains(time) }
    }

    private mutating func sendDelayed(at now: MonotonicTime) {
        while let next = nextDelayed, next.due <= now {
            for packet in next.packets { transmit(packet, at: next.due) }
            nextDelayed = delayed.next()
        }
    }

    package mutating func handle(_ compound: RTCPCompound) {
        for packet in compound.packets {
            switch packet {
            case .pictureLossIndication(let indication) where indication.source == plan.ssrc:
                keyframeRequests += 1
                wantsKeyframe = true
            case .genericNACK(let nack) where nack.source == plan.ssrc:
                for number in nack.sequenceNumbers { retransmit(number) }
            case .receiverReport(let report):
                if let block = report.reportBlocks.first, block.ssrc == plan.ssrc { lastReport = block }
            default:
                continue
            }
        }
    }

    /// Goes on as another source, with numbers and timestamps of its own.
    package mutating func changeSource(to ssrc: SSRC, sequenceNumber: UInt16, timestamp: UInt32) {
        plan.ssrc = ssrc
        epoch += 1
        wantsKeyframe = true
        history = []
        restart(sequenceNumber: sequenceNumber, timestamp: timestamp)
    }

    /// Goes on with other numbers and timestamps, without saying so.
    package mutating func restart(sequenceNumber: UInt16? = nil, timestamp: UInt32? = nil) {
        if let sequenceNumber { self.sequenceNumber = SequenceNumber(sequenceNumber) }
        if let timestamp { plan.firstTimestamp = plan.firstTimestamp &+ (timestamp &- self.timestamp(at: frameDue)) }
    }

    /// Can repeat nothing of what it sent so far.
    package mutating func forget() { history = [] }

    /// Sends packets of padding alone, which take up sequence numbers.
    package mutating func sendPadding(_ count: Int, at now: MonotonicTime) {
        for _ in 0..<count {
            var packet = outgoing(timestamp: timestamp(at: now), payload: [])
            packet.padding = 100
            remember(packet, of: -1)
            transmit(packet, at: now)
        }
    }

    /// The timestamp of what is captured at a moment.
    package func timestamp(at time: MonotonicTime) -> UInt32 {
        var elapsed = time - plan.start
        for sleep in plan.sleeps where sleep.lowerBound < time {
            elapsed -= min(sleep.upperBound, time) - sleep.lowerBound
        }
        let ticks = elapsed.seconds * (1 + plan.skew * 1e-6) * Double(plan.clockRate)
        return plan.firstTimestamp &+ UInt32(truncatingIfNeeded: Int64(ticks.rounded()))
    }

    private mutating func send(frameAt time: MonotonicTime) {
        let timestamp = timestamp(at: time)
        let isAudio = plan.codec == .opus
        framesSinceKeyframe += 1
        var isKeyframe = isAudio || wantsKeyframe || framesSinceKeyframe >= plan.framesPerKeyframe
        let count = isAudio ? 1 : Int.random(in: plan.packetsPerFrame, using: &generator) * (isKeyframe ? 3 : 1)
        var payload: [UInt8]
        if let content = plan.content?(time, isKeyframe) {
            isKeyframe = content.isKeyframe
            payload = content.payload + number(sent.count)
        } else if isAudio {
            // 20, 40 or 60 ms in one SILK frame; the rest is the frame's number and noise.
            let configuration: UInt8 =
                plan.frameInterval <= .milliseconds(20) ? 1 : plan.frameInterval <= .milliseconds(40) ? 2 : 3
            let size = Int.random(in: 20...60, using: &generator) * plan.bytesPerPacket / 100
            payload = [configuration << 3] + number(sent.count) + generator.bytes(size)
        } else {
            let head: [UInt8] = isKeyframe ? [0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01] : [0x11, 0, 0]
            payload = head + number(sent.count) + generator.bytes(count * plan.bytesPerPacket - 20)
        }
        if isKeyframe { (wantsKeyframe, framesSinceKeyframe) = (false, 0) }
        let packets =
            isAudio
            ? [outgoing(timestamp: timestamp, payload: payload)]
            : pictured(payload, in: min(count, payload.count), timestamp: timestamp, isKeyframe: isKeyframe)
        for packet in packets { remember(packet, of: sent.count) }
        sent.append(
            SentFrame(
                time: time, isKeyframe: isKeyframe, payload: plan.keepsPayloads ? payload : [],
                packetCount: packets.count, epoch: epoch))
        depart(packets, capturedAt: time)
    }

    /// The packets of a picture.
    private mutating func pictured(
        _ payload: [UInt8], in count: Int, timestamp: UInt32, isKeyframe: Bool
    ) -> [OutgoingRTPPacket] {
        pictureID = (pictureID &+ 1) & 0x7fff
        return (0..<count).map { index in
            let part = payload[(payload.count * index / count)..<(payload.count * (index + 1) / count)]
            let descriptor: [UInt8] = [
                index == 0 ? 0x90 : 0x80, 0x80, 0x80 | UInt8(pictureID >> 8), UInt8(truncatingIfNeeded: pictureID),
            ]
            var packet = outgoing(timestamp: timestamp, payload: descriptor + part)
            packet.marker = index == count - 1
            if packet.marker, let identifier = plan.videoOrientationExtension,
                isKeyframe || rotation != rotationSaid || rotation != .none
            {
                packet.headerExtensions.append((identifier, [UInt8(rotation.rawValue / 90)]))
                rotationSaid = rotation
            }
            return packet
        }
    }

    /// Sends a frame's packets as soon as they have come from where it was captured.
    private mutating func depart(_ packets: [OutgoingRTPPacket], capturedAt time: MonotonicTime) {
        var due = time + plan.captureDelay
        if plan.captureJitter > .zero { due = due + plan.captureJitter * Double.random(in: 0...1, using: &generator) }
        for range in plan.congestion where range.lowerBound < due {
            let queue = (min(due, range.upperBound) - range.lowerBound) * 0.1
            due = due + max(.zero, queue - max(.zero, due - range.upperBound) * 0.1)
        }
        if let stall = plan.stalls.first(where: { $0.contains(due) }) { due = stall.upperBound }
        due = max(due, lastDeparture)
        lastDeparture = due
        if due <= time {
            for packet in packets { transmit(packet, at: time) }
        } else if nextDelayed == nil {
            nextDelayed = (due, packets)
        } else {
            delayed.append((due, packets))
        }
    }

    /// A frame's number in the order of sending, which every payload bears.
    package func number(in payload: [UInt8]) -> Int? {
        let start =
            plan.content != nil
            ? payload.count - 4 : plan.codec == .opus ? 1 : payload.first.map { $0 & 1 == 0 ? 10 : 3 } ?? 0
        guard start >= 0, start + 4 <= payload.count else { return nil }
        return (0..<4).reduce(0) { $0 << 8 | Int(payload[start + $1]) }
    }

    private func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    private mutating func outgoing(timestamp: UInt32, payload: [UInt8]) -> OutgoingRTPPacket {
        var packet = OutgoingRTPPacket(
            payloadType: plan.payloadType, sequenceNumber: sequenceNumber, timestamp: timestamp, ssrc: plan.ssrc,
            payload: payload)
        sequenceNumber = sequenceNumber.next
        if let mid = plan.mid { packet.headerExtensions.append((mid.identifier, Array(mid.value.utf8))) }
        if let identifier = plan.audioLevelExtension { packet.headerExtensions.append((identifier, [0x80 | 33])) }
        return packet
    }

    private mutating func remember(_ packet: OutgoingRTPPacket, of frame: Int) {
        if history.isEmpty { history = Array(repeating: nil, count: Self.memory) }
        if frameOfPacket.isEmpty { frameOfPacket = Array(repeating: -1, count: 1 << 16) }
        history[Int(packet.sequenceNumber.value) % Self.memory] = packet
        frameOfPacket[Int(packet.sequenceNumber.value)] = Int32(truncatingIfNeeded: frame)
        packetCount &+= 1
    }

    private mutating func retransmit(_ number: SequenceNumber) {
        guard !history.isEmpty, var packet = history[Int(number.value) % Self.memory], packet.sequenceNumber == number
        else { return }
        retransmissions += 1
        if let rtxSSRC = plan.rtxSSRC {
            packet.payload = [UInt8(number.value >> 8), UInt8(truncatingIfNeeded: number.value)] + packet.payload
            packet.ssrc = rtxSSRC
            packet.payloadType = plan.rtxPayloadType
            packet.sequenceNumber = rtxSequenceNumber
            rtxSequenceNumber = rtxSequenceNumber.next
        }
        transmit(packet, at: nil)
    }

    /// - Parameter time: nil for a packet that is repeated.
    private mutating func transmit(_ packet: OutgoingRTPPacket, at time: MonotonicTime?) {
        if let time { relayed = (packet.timestamp, time) }
        var packet = packet
        if let identifier = plan.transportSequenceExtension {
            let number = transportSequenceNumber.value
            packet.headerExtensions.append((identifier, [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]))
            transportSequenceNumber = transportSequenceNumber.next
        }
        outputs.append(packet.serialized())
    }

    private mutating func report(at time: MonotonicTime) {
        guard let stated = statedTimestamp(at: time) else { return }
        let report = SenderReport(
            ssrc: plan.ssrc, ntpTime: statedTime(at: time), rtpTimestamp: stated, packetCount: packetCount,
            octetCount: 0)
        let name = SourceDescription(chunks: [.init(ssrc: plan.ssrc, cname: "sender")])
        outputs.append(RTCPCompound([.senderReport(report), .sourceDescription(name)]).serialized())
    }

    private mutating func statedTimestamp(at time: MonotonicTime) -> UInt32? {
        let fault: UInt32 =
            switch plan.reportFault {
            case .jumpingTimestamp: UInt32(truncatingIfNeeded: generator.next())
            case .wrongTimestamp: UInt32(20 * plan.clockRate)
            default: 0
            }
        let scatter = plan.reportScatter * Double.random(in: -1...1, using: &generator)
        switch plan.reportStyle {
        case .sender:
            return timestamp(at: time + scatter) &+ fault
        case .relay:
            guard let relayed else { return nil }
            let ticks = (time + scatter - relayed.at).seconds * Double(plan.clockRate)
            return relayed.timestamp &+ UInt32(truncatingIfNeeded: Int64(ticks)) &+ fault
        }
    }

    private mutating func statedTime(at time: MonotonicTime) -> NTPTime {
        let elapsed = Int64(Double(time.nanoseconds) * (1 + plan.reportClockSkew * 1e-6))
        let hour: Int64 = 3_600_000_000_000
        if plan.reportFault == .zero { return NTPTime(0) }
        let fault: Int64 =
            switch plan.reportFault {
            case .decadesOff: -1_500_000_000_000_000_000
            case .jumpingClock: Int64.random(in: -hour...hour, using: &generator)
            case .clockIsSet: 30..<60 ~= (time - plan.start).seconds ? hour : 0
            default: 0
            }
        return NTPTime(nanoseconds: plan.reportClockStart + elapsed + fault)
    }
}
