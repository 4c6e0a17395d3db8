package import MediaTypes
import RTP
package import Reception

/// What became of one track of a simulated call: what reached the bot is held against what it delivered.
package struct TrackAccount: Sendable {
    /// How wrong the time of a delivered frame is.
    package struct Dating: Sendable {
        /// When it was captured.
        package var captured: MonotonicTime
        /// How much later its time is than that, in milliseconds.
        package var error: Double
        /// Whether it comes after what may put the clock out for a while.
        package var isSettled: Bool
    }

    package let kind: MediaKind
    package private(set) var datings: [Dating] = []
    /// What must not be, in words.
    package private(set) var violations: [String] = []
    package private(set) var events: [ReceptionEvent] = []
    /// Frames of which every packet came.
    package private(set) var wholeFrames = 0
    package private(set) var deliveredFrames = 0
    package private(set) var keyframeRequests = 0
    package private(set) var statistics: ReceptionStatistics?

    /// So long after what the sender did of a sudden times must be right, or after the first frame where it counts with a
    /// wrong rate: twice as long then.
    package static let settlingTime = Duration.seconds(10)
    /// So long after the first frame they must be right else.
    package static let openingTime = Duration.seconds(1)
    /// So long after a packet is found to be missing, a picture that it has not healed counts as broken, and a keyframe
    /// must have been asked for.
    package static let keyframeRequestTime = Duration.milliseconds(300)
    /// A keyframe asked for so shortly before is asked for.
    private static let requestInterval = Duration.milliseconds(500)

    private var firstFrame: MonotonicTime?
    private var disturbance: MonotonicTime?
    private var lastNumber = -1
    private var lastTime = MonotonicTime(nanoseconds: .min)
    /// Numbers that were left out between delivered frames.
    private var skipped: [Range<Int>] = []
    /// Packets yet to come, for each frame; and when the last one came.
    private var missingParts: [UInt16] = []
    private var wholeAt: [MonotonicTime?] = []
    private var arrivedFrames: [Int32] = Array(repeating: -1, count: 1 << 16)

    private var sequence = SequenceUnwrapper()
    private var highest: Int64?
    /// Missing packets of a picture, and when that was noticed.
    private var gaps: [(number: Int64, noticed: MonotonicTime)] = []
    private var lastRequest: MonotonicTime?
    private var lastKeyframe: MonotonicTime?
    private var epoch = 0

    init(kind: MediaKind) { self.kind = kind }

    mutating func disturbed(at time: MonotonicTime) { disturbance = max(disturbance ?? time, time) }

    mutating func happened(_ event: ReceptionEvent, at now: MonotonicTime) { events.append(event) }

    mutating func requestedKeyframe(at now: MonotonicTime) {
        keyframeRequests += 1
        lastRequest = now
    }

    mutating func arrived(_ wire: UInt16, of sender: inout RTPSender, at now: MonotonicTime) {
        let frame = sender.frameOfPacket[Int(wire)]
        if kind == .video { follow(wire, of: &sender, at: now) }
        guard frame >= 0, arrivedFrames[Int(wire)] != frame else { return }
        arrivedFrames[Int(wire)] = frame
        while missingParts.count < sender.sent.count {
            missingParts.append(UInt16(sender.sent[missingParts.count].packetCount))
            wholeAt.append(nil)
        }
        missingParts[Int(frame)] -= 1
        if kind == .video, sender.sent[Int(frame)].isKeyframe { lastKeyframe = now }
        if missingParts[Int(frame)] == 0 {
            wholeAt[Int(frame)] = now
            wholeFrames += 1
        }
    }

    /// Keeps the list of what is missing.
    private mutating func follow(_ wire: UInt16, of sender: inout RTPSender, at now: MonotonicTime) {
        if sender.epoch != epoch {
            epoch = sender.epoch
            (sequence, highest, gaps) = (SequenceUnwrapper(), nil, [])
        }
        let number = sequence.unwrap(SequenceNumber(wire)).value
        guard let highest else { return self.highest = number }
        if number > highest {
            for missing in highest + 1..<number where missing > number - 1000 { gaps.append((missing, now)) }
            self.highest = number
        } else {
            gaps.removeAll { $0.number == number }
        }
    }

    /// Finds pictures that are broken and for which no keyframe was asked.
    mutating func check(at now: MonotonicTime) {
        while let gap = gaps.first, now - gap.noticed > Self.keyframeRequestTime {
            gaps.removeFirst()
            let since = gap.noticed - Self.requestInterval
            if lastKeyframe.map({ $0 >= gap.noticed }) ?? false { continue }
            // Asked for, or asked for before and not answered yet.
            if let lastRequest, lastRequest >= since || lastKeyframe.map({ $0 < lastRequest }) ?? true { continue }
            violate(
                "no keyframe was asked for, \(Self.keyframeRequestTime) after packet \(gap.number) was missing", now)
        }
    }

    mutating func delivered(_ frame: ReceivedFrame, from sender: inout RTPSender, at now: MonotonicTime) {
        deliveredFrames += 1
        if frame.captureTime < lastTime { violate("a frame's time goes backwards", now) }
        lastTime = frame.captureTime
        guard let number = sender.number(in: frame.payload), sender.sent.indices.contains(number) else {
            return violate("a frame that was never sent", now)
        }
        if sender.plan.keepsPayloads, sender.sent[number].payload != frame.payload {
            violate("frame \(number) is not as it was sent", now)
        }
        if number <= lastNumber { violate("frame \(number) comes after \(lastNumber)", now) }
        if number > lastNumber + 1 { skipped.append(lastNumber + 1..<number) }
        lastNumber = max(number, lastNumber)
        let captured = sender.sent[number].time
        firstFrame = firstFrame ?? captured
        let countsWrongly = abs(sender.plan.skew) > 1000
        let opened = (firstFrame ?? captured) + (countsWrongly ? Self.settlingTime * 2 : Self.openingTime)
        let calmed = disturbance.map { $0 + Self.settlingTime * (countsWrongly ? 2 : 1) }
        let settled = max(opened, calmed ?? opened)
        datings.append(
            Dating(
                captured: captured, error: (frame.captureTime - captured).seconds * 1000,
                isSettled: captured >= settled))
    }

    /// The call is over: finds the frames that came and were not delivered.
    mutating func close(_ sender: RTPSender, _ statistics: ReceptionStatistics?) {
        self.statistics = statistics
        skipped.append(lastNumber + 1..<sender.sent.count)
        var undelivered = 0
        for number in skipped.joined() where number < wholeAt.count {
            guard let whole = wholeAt[number] else { continue }
            undelivered += 1
            // Nothing can be decoded before the first keyframe; and what is healed after the patience is over is late.
            let sent = sender.sent[number]
            if whole - sent.time > .milliseconds(1900) { continue }
            let isBeforeKeyframe = kind == .video && firstFrame.map { sent.time < $0 } ?? true
            // Nor of another source; and with one goes what of the last one was still waited for.
            let around = [max(0, number - 30), min(sender.sent.count - 1, number + 100)]
            let isReplaced = around.contains { sender.sent[$0].epoch != sent.epoch }
            if isBeforeKeyframe || isReplaced { continue }
            violations.append(
                "frame \(number), sent at \(sent.time.nanoseconds / 1_000_000) ms, came and was not delivered")
        }
        guard let statistics else { return violations.append("no statistics") }
        if statistics.frames != deliveredFrames {
            violations.append("\(statistics.frames) frames counted of \(deliveredFrames)")
        }
        // Of a source that was replaced, what still came is not counted as whole.
        if sender.epoch == 0, deliveredFrames + undelivered != wholeFrames {
            violations.append("\(deliveredFrames) and \(undelivered) frames are not \(wholeFrames)")
        }
    }

    private mutating func violate(_ words: String, _ now: MonotonicTime) {
        violations.append("\(words) (at \(now.nanoseconds / 1_000_000) ms)")
    }
}
