import MediaTypes
import RTP

/// Receives one track: packets of one media section become dated frames in order, and what is to be said to the sender
/// becomes due.
struct TrackReceiver: Sendable {
    /// How long missing packets are waited for when they cannot be asked for: they may only be late.
    static let patienceWithoutRequests = Duration.milliseconds(500)
    static let reportInterval = Duration.seconds(1)
    /// Reports that go out early, so that the sender has a round trip time from the start though one be lost.
    static let introductions = 2
    static let introductionInterval = Duration.milliseconds(40)
    /// A jump of the sequence number by this much is a new count, if the next packet goes on with it
    /// (RFC 3550 appendix A.1).
    static let largestJump: Int64 = 3000
    /// After so long a silence behind its end, what comes is no straggler but another track.
    static let stragglerTime = Duration.milliseconds(200)

    private enum Stay {
        case present
        /// The track has ended, so that another one may go on with its source. Next: present.
        case ended
        /// Another one goes on, with the next packet. Next: present.
        case replaced
    }

    private(set) var section: MediaReceiver.Section
    /// The source that is received; nil before its first packet.
    private(set) var ssrc: SSRC?
    private let reportedDelay: ReportedDelay?
    private(set) var counts = ReceptionStatistics()
    /// When something is to be given up, asked for or reported. Stored, since it is looked at for every packet of every
    /// track, and a computed one would copy the track.
    private(set) var nextDeadline: MonotonicTime?

    private var payloadType: PayloadType?
    private var assembler: FrameAssembler?
    private var jitterBuffer: JitterBuffer
    private var nackGenerator = NACKGenerator()
    private var requester = KeyframeRequester()
    /// A keyframe was asked for on account of hopeless packets up to this number.
    private var mourned: Int64 = .min
    /// Where the last keyframe begins that has come, whether or not its turn has.
    private var keyframeStart: Int64 = .min
    private var stay = Stay.present
    /// How the pictures are to be turned, as the sender said last.
    private var rotation = PictureRotation.none
    /// The server's clock, by this track's reports.
    private(set) var remote = RemoteClock()
    private var clock: MediaClock
    /// The clock of the count of timestamps before, for what of it is still on its way, and the first packet behind that.
    private var formerClock: (clock: MediaClock, end: Int64)?
    /// How far the clock jumped for the frame that is next.
    private var pendingJump: Duration?
    private var source: SourceStatistics
    private var sequence = SequenceUnwrapper()
    private var highest: ExtendedSequenceNumber?
    /// A packet far from all others: the one after it would confirm that the source began a new count.
    private var restartCandidate: (packet: RTPPacket, arrival: MonotonicTime)?
    private var reportDeadline: MonotonicTime?
    private var introductionsLeft = 0
    /// Counts of assemblers that are gone.
    private var earlierCounts = AssemblyCounts()
    private var frames: [AssembledFrame] = []

    init(section: MediaReceiver.Section, patience: Duration, reportedDelay: ReportedDelay?) {
        self.section = section
        self.reportedDelay = reportedDelay
        jitterBuffer = JitterBuffer(
            patience: section.nack ? patience : min(patience, Self.patienceWithoutRequests))
        nackGenerator.isSilent = !section.nack
        clock = MediaClock(clockRate: 90_000, kind: section.kind)
        source = SourceStatistics(clockRate: 90_000)
    }

    /// The source that feedback is about.
    var feedbackSource: SSRC? { ssrc ?? section.ssrcs.first }

    var isWaiting: Bool { jitterBuffer.nextDeadline != nil }

    var statistics: ReceptionStatistics {
        var statistics = counts
        let assembled = assembler?.counts ?? AssemblyCounts()
        statistics.malformed += earlierCounts.malformedPackets + assembled.malformedPackets
        statistics.incompleteFrames = earlierCounts.incompleteFrames + assembled.incompleteFrames
        statistics.framesBeforeKeyframe = earlierCounts.framesBeforeKeyframe + assembled.framesBeforeKeyframe
        statistics.jitter = source.jitter
        statistics.cumulativeLost = Int(source.cumulativeLost)
        statistics.fractionLost = Double(source.fractionLost) / 256
        statistics.roundTripTime = nackGenerator.roundTripTime
        statistics.clockError = clock.error
        statistics.usesSenderReports = clock.followsReports
        return statistics
    }

    /// Takes over what a renegotiation changed, without losing anything.
    mutating func update(_ section: MediaReceiver.Section) {
        defer { updateDeadline() }
        self.section = section
        nackGenerator.isSilent = !section.nack
    }

    /// The packet to be received, when this one is a retransmission; itself when it is not; nil when it is neither media
    /// nor repeats a known one.
    private func original(of packet: RTPPacket) -> (packet: RTPPacket, isRTX: Bool)? {
        if packet.payloadType == payloadType || section.payloadTypes[packet.payloadType] != nil {
            return (packet, false)
        }
        guard let repeated = section.rtx[packet.payloadType], let ssrc,
            let original = RTPPacket(restoring: packet, ssrc: ssrc, payloadType: repeated)
        else { return nil }
        return (original, true)
    }

    mutating func handle(
        _ received: RTPPacket, at now: MonotonicTime,
        into outputs: inout OutputQueue<MediaReceiver.Output>
    ) {
        defer { updateDeadline() }
        guard let (packet, isRTX) = original(of: received) else {
            // A probe with nothing in it, or repeats what was never known.
            if section.rtx[received.payloadType] == nil { counts.malformed += 1 }
            return
        }
        if !isRTX {
            let isAnotherTrack = isOfAnotherTrack(at: now)
            counts.packets += 1
            counts.bytes += packet.bytes.count
            counts.lastPacketTime = now
            if packet.ssrc != ssrc || isAnotherTrack { begin(packet, at: now, into: &outputs) }
        }
        if packet.payloadType != payloadType {
            guard select(packet.payloadType, into: &outputs) else {
                counts.malformed += 1
                return
            }
        }
        guard let number = extend(packet, isRTX: isRTX, at: now, into: &outputs) else { return }
        take(packet, number, isRTX: isRTX, at: now, into: &outputs)
    }

    private mutating func take(
        _ packet: RTPPacket, _ number: ExtendedSequenceNumber, isRTX: Bool, at now: MonotonicTime,
        into outputs: inout OutputQueue<MediaReceiver.Output>
    ) {
        let arrival: NACKGenerator.Arrival = isRTX ? .retransmission : section.rtx.isEmpty ? .either : .original
        let wasRequested = nackGenerator.packetArrived(number.value, as: arrival, at: now)
        if !isRTX {
            source.packetArrived(number, timestamp: packet.timestamp, isRetransmission: wasRequested, at: now)
            // Padding, with which senders probe the network, carries the time of the last frame, however old that is.
            if !wasRequested, !packet.payload.isEmpty { followClock(packet, number, at: now, into: &outputs) }
        }
        insert(packet, number, wasRequested: wasRequested, isRTX: isRTX, at: now)
        drain(at: now, into: &outputs)
    }

    /// - Parameter others: what other tracks know of the server's clock.
    mutating func handle(_ report: SenderReport, others: [RemoteClock], at now: MonotonicTime) {
        // The sender learns the round trip time from the answer to its first report.
        if !source.hasSenderReport, reportDeadline != nil { reportDeadline = now }
        source.senderReportArrived(report.ntpTime, at: now)
        updateDeadline()
        guard let remoteTime = remote.reportArrived(report.ntpTime, at: now) else { return clock.reportRefused() }
        remote.align(with: others)
        if let local = remote.localTime(of: remoteTime) {
            clock.reportArrived(rtpTimestamp: report.rtpTimestamp, local: local)
        }
    }

    /// Gives up what is overdue.
    mutating func wake(
        at now: MonotonicTime, into outputs: inout OutputQueue<MediaReceiver.Output>
    ) {
        defer { updateDeadline() }
        endDoubt(at: now, into: &outputs)
        guard let deadline = jitterBuffer.nextDeadline, deadline <= now else { return }
        jitterBuffer.wake(at: now)
        drain(at: now, into: &outputs)
    }

    /// Delivers everything that is held back: nothing more will come.
    mutating func flush(into outputs: inout OutputQueue<MediaReceiver.Output>) {
        defer { updateDeadline() }
        jitterBuffer.flush()
        drain(at: nil, into: &outputs)
        assembler?.finish(into: &frames)
        endDoubt(at: nil, into: &outputs)
        deliver(into: &outputs)
        nackGenerator.restart()
    }

    /// The track has ended. All of it is delivered; what comes after a silence is of another one, though it be by the same
    /// source: a server may use a section again as it is.
    mutating func end(into outputs: inout OutputQueue<MediaReceiver.Output>) {
        flush(into: &outputs)
        requester.satisfy()
        stay = .ended
        updateDeadline()
    }

    /// Another track goes on in the section after the end of one, as somebody knows: nothing of the one before belongs to it.
    mutating func replace() {
        if stay == .ended { stay = .replaced }
    }

    private func isOfAnotherTrack(at now: MonotonicTime) -> Bool {
        switch stay {
        case .present: false
        case .ended: counts.lastPacketTime.map { now - $0 >= Self.stragglerTime } ?? true
        case .replaced: true
        }
    }

    mutating func requestKeyframe(at now: MonotonicTime) {
        defer { updateDeadline() }
        if section.pli { requester.want(at: now) }
    }
}

// What is to be said to the sender.
extension TrackReceiver {
    /// Packets to be asked for now.
    mutating func retransmissionRequests(at now: MonotonicTime) -> [SequenceNumber] {
        defer { updateDeadline() }
        let numbers = nackGenerator.requests(at: now)
        counts.retransmissionRequests += numbers.count
        // The picture breaks when the packet is given up: the keyframe that heals it had better be here by then.
        let hopeless = nackGenerator.newHopeless(at: now)
        if section.pli, let hopeless, hopeless > max(mourned, keyframeStart), !isOnlyPaddingMissing {
            mourned = highest?.value ?? hopeless
            requester.wantAnother(at: now)
        }
        return numbers
    }

    /// Whether the frame behind the first gap is the very next one.
    private var isOnlyPaddingMissing: Bool {
        guard !section.nack, let held = jitterBuffer.firstHeld else { return false }
        return assembler?.continues(with: held) ?? false
    }

    /// Whether to ask for a keyframe now.
    mutating func shouldRequestKeyframe(at now: MonotonicTime) -> Bool {
        defer { updateDeadline() }
        guard requester.shouldRequest(at: now, lastPacket: counts.lastPacketTime) else { return false }
        counts.keyframeRequests += 1
        return true
    }

    /// Reports can be sent, and the sender waits for one to learn how far away we are.
    mutating func introduce(at now: MonotonicTime) {
        guard reportedDelay != nil else { return }
        introductionsLeft = Self.introductions
        reportDeadline = now
        updateDeadline()
    }

    /// Whether the regular report is due; counted as made.
    mutating func shouldReport(at now: MonotonicTime) -> Bool {
        defer { updateDeadline() }
        guard let due = reportDeadline, due <= now else { return false }
        if introductionsLeft > 0 {
            introductionsLeft -= 1
            reportDeadline = now + Self.introductionInterval
        } else {
            reportDeadline = max(due + Self.reportInterval, now + Self.reportInterval / 2)
        }
        return true
    }

    private mutating func updateDeadline() {
        nextDeadline = earliest(
            earliest(jitterBuffer.nextDeadline, nackGenerator.nextDeadline),
            earliest(earliest(requester.nextDeadline, reportDeadline), clock.doubtDeadline))
    }

    mutating func reportBlock(at now: MonotonicTime, closesInterval: Bool) -> ReportBlock? {
        guard let feedbackSource else { return nil }
        return source.reportBlock(
            ssrc: feedbackSource, at: now, closesInterval: closesInterval, reportedDelay: reportedDelay)
    }
}

// From a packet's number to frames.
extension TrackReceiver {
    /// Begins to receive a source: the first one, or another one in its place.
    private mutating func begin(
        _ packet: RTPPacket, at now: MonotonicTime,
        into outputs: inout OutputQueue<MediaReceiver.Output>
    ) {
        if ssrc != nil {
            flush(into: &outputs)
            outputs.append(.event(section.mid, .sourceChanged(packet.ssrc)))
            jitterBuffer.restart()
            sequence = SequenceUnwrapper()
            highest = nil
            mourned = .min
            keyframeStart = .min
            requester = KeyframeRequester()
            restartCandidate = nil
            payloadType = nil
            formerClock = nil
            pendingJump = nil
        }
        stay = .present
        ssrc = packet.ssrc
        if reportDeadline == nil { reportDeadline = now + Self.reportInterval }
    }

    /// Makes ready for a payload type; false when it is of a codec that is not recorded.
    private mutating func select(
        _ type: PayloadType, into outputs: inout OutputQueue<MediaReceiver.Output>
    ) -> Bool {
        guard let format = section.payloadTypes[type], let fresh = FrameAssembler(codec: format.codec) else {
            return false
        }
        let isNewSource = payloadType == nil
        if let before = payloadType, let known = section.payloadTypes[before], known == format {
            payloadType = type  // the same codec by another number
            return true
        }
        if let assembler {
            flush(into: &outputs)
            earlierCounts.malformedPackets += assembler.counts.malformedPackets
            earlierCounts.incompleteFrames += assembler.counts.incompleteFrames
            earlierCounts.framesBeforeKeyframe += assembler.counts.framesBeforeKeyframe
        }
        if isNewSource || !clock.runs(at: format.clockRate) {
            clock.restart(clockRate: format.clockRate, kind: section.kind)
            source = SourceStatistics(clockRate: format.clockRate)
        }
        assembler = fresh
        payloadType = type
        return true
    }

    /// The packet's number without wraps; nil when the packet is to be dropped, since the numbers jumped and nothing has
    /// confirmed that yet.
    private mutating func extend(
        _ packet: RTPPacket, isRTX: Bool, at now: MonotonicTime,
        into outputs: inout OutputQueue<MediaReceiver.Output>
    ) -> ExtendedSequenceNumber? {
        let number = sequence.peek(packet.sequenceNumber)
        guard let highest else {
            if isRTX { return nil }
            self.highest = number
            return sequence.unwrap(packet.sequenceNumber)
        }
        if isRTX { return abs(number - highest) <= Self.largestJump ? number : nil }
        if abs(number - highest) > Self.largestJump {
            guard let first = restartCandidate, packet.sequenceNumber == first.packet.sequenceNumber.next else {
                restartCandidate = (packet, now)
                return nil
            }
            flush(into: &outputs)
            outputs.append(.event(section.mid, .sequenceRestarted))
            assembler?.noteLoss()
            jitterBuffer.restart()
            let restarted = sequence.restart(at: first.packet.sequenceNumber)
            source = SourceStatistics(clockRate: source.clockRate)
            self.highest = restarted
            restartCandidate = nil
            take(first.packet, restarted, isRTX: false, at: first.arrival, into: &outputs)
            self.highest = restarted + 1
            return sequence.unwrap(packet.sequenceNumber)
        }
        restartCandidate = nil
        self.highest = max(highest, number)
        return sequence.unwrap(packet.sequenceNumber)
    }

    /// Lets the clock see the packet; when the timestamps began anew, ends what was before.
    private mutating func followClock(
        _ packet: RTPPacket, _ number: ExtendedSequenceNumber, at now: MonotonicTime,
        into outputs: inout OutputQueue<MediaReceiver.Output>
    ) {
        endDoubt(at: now, into: &outputs)
        if let formerClock, number.value < formerClock.end { return }
        // One that was overtaken says nothing new.
        if number == highest, let jump = clock.discontinuity(packet.timestamp, at: now) {
            formerClock = (clock, number.value)
            clock.restart()
            pendingJump = jump
        }
        clock.packetArrived(packet.timestamp, at: now)
    }

    /// Delivers what waited to learn what its timestamps mean, if that is known now; at the end it has to be.
    private mutating func endDoubt(
        at now: MonotonicTime?, into outputs: inout OutputQueue<MediaReceiver.Output>
    ) {
        guard let deadline = clock.doubtDeadline, now.map({ deadline <= $0 }) ?? true else { return }
        if let jump = clock.endDoubt(at: now) { outputs.append(.event(section.mid, .clockJumped(by: jump))) }
        deliver(into: &outputs)
    }

    private mutating func insert(
        _ packet: RTPPacket, _ number: ExtendedSequenceNumber, wasRequested: Bool, isRTX: Bool, at now: MonotonicTime
    ) {
        let startsKeyframe = assembler?.startsKeyframe(packet) ?? false
        let arrived = ArrivedPacket(packet: packet, number: number, arrival: now)
        let isFirst = jitterBuffer.head == nil
        switch jitterBuffer.insert(arrived, mayHavePredecessors: !startsKeyframe) {
        case .taken(let missing):
            if let missing { nackGenerator.notice(missing: missing, at: now) }
            if wasRequested { counts.recovered += 1 }
            if startsKeyframe {
                keyframeStart = max(keyframeStart, number.value)
                requester.satisfy()
            } else {
                // Its beginning may only be overtaken.
                wantKeyframeIfNeeded(at: now, delay: isFirst ? .milliseconds(20) : .zero)
            }
        case .duplicate:
            counts.duplicates += 1
        case .late, .tooFarAhead:
            // A retransmission of what came after all is a duplicate.
            if isRTX { counts.duplicates += 1 } else { counts.late += 1 }
        }
    }

    /// - Parameter now: nil at the end, when nothing is asked for any more.
    private mutating func drain(
        at now: MonotonicTime?, into outputs: inout OutputQueue<MediaReceiver.Output>
    ) {
        while let output = jitterBuffer.nextOutput() {
            switch output {
            case .packet(let arrived):
                assembler?.handle(arrived.packet, into: &frames)
                if !frames.isEmpty { deliver(into: &outputs) }
            case .gap(let count):
                assembler?.noteLoss()
                counts.lost += Int(clamping: count)
                outputs.append(.event(section.mid, .packetsLost(Int(clamping: count))))
            }
        }
        if let head = jitterBuffer.head { nackGenerator.giveUp(before: head.value) }
        if let now { wantKeyframeIfNeeded(at: now) }
    }

    /// Wants a keyframe when the picture is broken, or has not begun, and none is on its way to the assembler.
    private mutating func wantKeyframeIfNeeded(at now: MonotonicTime, delay: Duration = .zero) {
        guard stay == .present, section.pli, let assembler, assembler.needsKeyframe, let head = jitterBuffer.head else {
            return
        }
        if keyframeStart < head.value { requester.want(at: now, delay: delay) }
    }

    /// A sender need not say that a picture is not to be turned, but would say otherwise with a keyframe.
    private func statedRotation(of frame: AssembledFrame) -> PictureRotation? {
        guard let identifier = section.videoOrientationExtension else { return nil }
        return frame.lastPacket.videoOrientation(extension: identifier)
            ?? (frame.isKeyframe ? PictureRotation.none : nil)
    }

    private mutating func moment(of frame: AssembledFrame) -> MediaClock.Moment {
        if var former = formerClock {
            let isBefore = sequence.peek(frame.firstPacket.sequenceNumber).value < former.end
            if !isBefore { formerClock = nil }
            // The first packets of the new count may have been healed since.
            if isBefore, former.clock.distance(of: frame.rtpTimestamp) < clock.distance(of: frame.rtpTimestamp) {
                former.clock.goOn(from: clock.lastTime)
                let moment = former.clock.moment(of: frame.rtpTimestamp)
                formerClock = former
                clock.goOn(from: moment.time)
                return moment
            }
        }
        var moment = clock.moment(of: frame.rtpTimestamp)
        if let jump = pendingJump {
            moment.jump = moment.jump ?? jump
            pendingJump = nil
        }
        return moment
    }

    private mutating func deliver(into outputs: inout OutputQueue<MediaReceiver.Output>) {
        guard let assembler, clock.doubtDeadline == nil else { return }
        for frame in frames {
            let moment = moment(of: frame)
            if let jump = moment.jump { outputs.append(.event(section.mid, .clockJumped(by: jump))) }
            let level = section.audioLevelExtension.flatMap { frame.firstPacket.audioLevel(extension: $0) }
            if let stated = statedRotation(of: frame) { rotation = stated }
            counts.frames += 1
            if frame.isKeyframe { counts.keyframes += 1 }
            outputs.append(
                .frame(
                    section.mid,
                    ReceivedFrame(
                        codec: assembler.codec, captureTime: moment.time, rtpTime: moment.rtpTime,
                        duration: frame.duration, isKeyframe: frame.isKeyframe, size: frame.size,
                        followsLoss: frame.followsLoss, audioLevel: level, rotation: rotation, payload: frame.payload)))
        }
        frames.removeAll(keepingCapacity: true)
    }
}
