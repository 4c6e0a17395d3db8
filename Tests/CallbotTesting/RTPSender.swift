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
        /// The mid and its extension's identifier.
        package var mid: (identifier: UInt8, value: String)?
        package var audioLevelExtension: UInt8?
        package var transportSequenceExtension: UInt8?
        package var videoOrientationExtension: UInt8?
        package var start = MonotonicTime(nanoseconds: 0)
        package var end = MonotonicTime(nanoseconds: .max)

        package init() {}
    }

    /// What was put into a frame, and when.
    package struct SentFrame: Sendable {
        package var time: MonotonicTime
        package var isKeyframe: Bool
        package var payload: [UInt8]
    }

    package var plan: Plan
    /// How the pictures from now on are to be turned. Said with the last packet of a frame, where it is a keyframe, or differs
    /// from the last one, or is not upright.
    package var rotation = PictureRotation.none
    private var rotationSaid = PictureRotation.none
    package private(set) var sent: [SentFrame] = []
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
    private var history: [SequenceNumber: OutgoingRTPPacket] = [:]
    private var historyOrder: [SequenceNumber] = []
    private var wantsKeyframe = true
    private var framesSinceKeyframe = 0
    private var pictureID: UInt16 = 0x7ffe
    private var packetCount: UInt32 = 0

    package init(_ plan: Plan, seed: UInt64) {
        self.plan = plan
        generator = SeededGenerator(seed: seed)
        frameDue = plan.start
        reportDue = plan.start + .milliseconds(700)
        sequenceNumber = SequenceNumber(plan.firstSequenceNumber)
    }

    package var nextDeadline: MonotonicTime? {
        let due = plan.sendsReports ? min(frameDue, reportDue) : frameDue
        return due < plan.end ? due : nil
    }

    package mutating func nextOutput() -> [UInt8]? { outputs.next() }

    package mutating func wake(at now: MonotonicTime) {
        guard now < plan.end else { return }
        while frameDue <= now {
            send(frameAt: frameDue)
            frameDue = frameDue + plan.frameInterval
        }
        while plan.sendsReports, reportDue <= now {
            report(at: reportDue)
            reportDue = reportDue + .seconds(1)
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
        wantsKeyframe = true
        history.removeAll()
        restart(sequenceNumber: sequenceNumber, timestamp: timestamp)
    }

    /// Goes on with other numbers and timestamps, without saying so.
    package mutating func restart(sequenceNumber: UInt16? = nil, timestamp: UInt32? = nil) {
        if let sequenceNumber { self.sequenceNumber = SequenceNumber(sequenceNumber) }
        if let timestamp { plan.firstTimestamp = plan.firstTimestamp &+ (timestamp &- self.timestamp(at: frameDue)) }
    }

    /// Can repeat nothing of what it sent so far.
    package mutating func forget() { history.removeAll() }

    /// Sends packets of padding alone, which take up sequence numbers.
    package mutating func sendPadding(_ count: Int, at now: MonotonicTime) {
        for _ in 0..<count {
            var packet = outgoing(timestamp: timestamp(at: now), payload: [])
            packet.padding = 100
            send(packet)
        }
    }

    private func timestamp(at time: MonotonicTime) -> UInt32 {
        let ticks = (time - plan.start).seconds * (1 + plan.skew * 1e-6) * Double(plan.clockRate)
        return plan.firstTimestamp &+ UInt32(truncatingIfNeeded: Int64(ticks.rounded()))
    }

    private mutating func send(frameAt time: MonotonicTime) {
        let timestamp = timestamp(at: time)
        if plan.codec == .opus {
            // 20, 40 or 60 ms in one SILK frame; the rest is the frame's number and noise.
            let configuration: UInt8 =
                plan.frameInterval <= .milliseconds(20) ? 1 : plan.frameInterval <= .milliseconds(40) ? 2 : 3
            let payload =
                [configuration << 3] + number(sent.count) + generator.bytes(Int.random(in: 20...60, using: &generator))
            sent.append(SentFrame(time: time, isKeyframe: true, payload: payload))
            send(outgoing(timestamp: timestamp, payload: payload))
            return
        }
        framesSinceKeyframe += 1
        let isKeyframe = wantsKeyframe || framesSinceKeyframe >= plan.framesPerKeyframe
        if isKeyframe { (wantsKeyframe, framesSinceKeyframe) = (false, 0) }
        let head: [UInt8] = isKeyframe ? [0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01] : [0x11, 0, 0]
        let count = Int.random(in: plan.packetsPerFrame, using: &generator) * (isKeyframe ? 3 : 1)
        let payload = head + number(sent.count) + generator.bytes(count * 100 - 20)
        sent.append(SentFrame(time: time, isKeyframe: isKeyframe, payload: payload))
        pictureID = (pictureID &+ 1) & 0x7fff
        for index in 0..<count {
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
            send(packet)
        }
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

    private mutating func send(_ packet: OutgoingRTPPacket) {
        history[packet.sequenceNumber] = packet
        historyOrder.append(packet.sequenceNumber)
        if historyOrder.count > 2000 {
            history[historyOrder[0]] = nil
            historyOrder.removeFirst()
        }
        packetCount &+= 1
        transmit(packet)
    }

    private mutating func retransmit(_ number: SequenceNumber) {
        guard var packet = history[number] else { return }
        retransmissions += 1
        if let rtxSSRC = plan.rtxSSRC {
            packet.payload = [UInt8(number.value >> 8), UInt8(truncatingIfNeeded: number.value)] + packet.payload
            packet.ssrc = rtxSSRC
            packet.payloadType = plan.rtxPayloadType
            packet.sequenceNumber = rtxSequenceNumber
            rtxSequenceNumber = rtxSequenceNumber.next
        }
        transmit(packet)
    }

    private mutating func transmit(_ packet: OutgoingRTPPacket) {
        var packet = packet
        if let identifier = plan.transportSequenceExtension {
            let number = transportSequenceNumber.value
            packet.headerExtensions.append((identifier, [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]))
            transportSequenceNumber = transportSequenceNumber.next
        }
        outputs.append(packet.serialized())
    }

    private mutating func report(at time: MonotonicTime) {
        let scatter = plan.reportScatter * Double.random(in: -1...1, using: &generator)
        let clock = Double(time.nanoseconds) * (1 + plan.reportClockSkew * 1e-6)
        let report = SenderReport(
            ssrc: plan.ssrc, ntpTime: NTPTime(nanoseconds: 3_900_000_000_000_000_000 + Int64(clock)),
            rtpTimestamp: timestamp(at: time + scatter), packetCount: packetCount, octetCount: 0)
        let name = SourceDescription(chunks: [.init(ssrc: plan.ssrc, cname: "sender")])
        outputs.append(RTCPCompound([.senderReport(report), .sourceDescription(name)]).serialized())
    }
}
