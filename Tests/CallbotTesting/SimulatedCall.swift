package import MediaTypes
package import RTP
package import Reception

/// A call from its senders' cameras and microphones to the frames that the bot gets, in virtual time: the senders of
/// several participants, a network each way, and the receiver. All of it follows from its plan, so it is the same in every run.
package struct SimulatedCall: Sendable {
    package struct Plan: Sendable {
        package var seed: UInt64 = 1
        /// How long is sent.
        package var duration = Duration.seconds(120)
        /// One a track. Participants are told apart by `participants`.
        package var tracks: [RTPSender.Plan] = []
        /// Whose track each is.
        package var participants: [Int] = []
        /// From the server to the bot, and back.
        package var downlink = LinkEmulator.Impairment()
        package var uplink = LinkEmulator.Impairment()
        /// When nothing gets through, either way.
        package var outages: [Range<MonotonicTime>] = []
        /// What senders do of a sudden, in the order of time.
        package var changes: [(at: MonotonicTime, track: Int, change: Change)] = []
        /// Whether each track's packets can be asked for again.
        package var hasRetransmission = true
        package init() {}
    }

    package enum Change: Sendable {
        case newSource(SSRC, sequenceNumber: UInt16, timestamp: UInt32)
        case newTimestamps(UInt32)
    }

    package let plan: Plan
    package private(set) var senders: [RTPSender]
    package private(set) var receiver: MediaReceiver
    package private(set) var now = MonotonicTime(nanoseconds: 0)
    package private(set) var accounts: [TrackAccount]
    private var downlink: LinkEmulator
    private var uplink: LinkEmulator
    private var changes: ArraySlice<(at: MonotonicTime, track: Int, change: Change)>
    /// When each sender is next to be woken.
    private var deadlines: [MonotonicTime?]

    package init(_ plan: Plan) {
        self.plan = plan
        senders = plan.tracks.enumerated().map { RTPSender($1, seed: plan.seed &* 1000 &+ UInt64($0)) }
        downlink = LinkEmulator(plan.downlink, seed: plan.seed &+ 1_000_001)
        uplink = LinkEmulator(plan.uplink, seed: plan.seed &+ 2_000_002)
        changes = plan.changes[...]
        accounts = plan.tracks.map { track in
            var account = TrackAccount(kind: track.codec.kind)
            // Before the first queue has emptied nobody can know how long it was.
            for queue in track.congestion where queue.lowerBound <= track.start + .seconds(1) {
                account.disturbed(at: queue.upperBound + (queue.upperBound - queue.lowerBound))
            }
            return account
        }
        deadlines = senders.map(\.nextDeadline)
        receiver = MediaReceiver(senderSSRC: SSRC(0xb07), cname: "bot")
        receiver.configure(plan.tracks.indices.map(section), at: now)
    }

    package static func mid(_ track: Int) -> MediaSectionID { MediaSectionID("\(track)") }

    private func section(_ track: Int) -> MediaReceiver.Section {
        let sender = plan.tracks[track]
        var section = MediaReceiver.Section(
            mid: Self.mid(track), kind: sender.codec.kind,
            payloadTypes: [sender.payloadType: PayloadFormat(codec: sender.codec, clockRate: sender.clockRate)])
        section.ssrcs = [sender.ssrc]
        if let rtx = sender.rtxSSRC {
            section.rtxSSRCs = [rtx]
            section.rtx = [sender.rtxPayloadType: sender.payloadType]
        }
        section.midExtension = sender.mid?.identifier
        section.nack = plan.hasRetransmission
        section.pli = sender.codec.kind == .video
        return section
    }

    /// Runs the whole call, what is still on its way at the end included.
    /// - Parameter take: gets every frame as it is delivered, and the track it is of.
    package mutating func run(taking take: (Int, ReceivedFrame) -> Void = { _, _ in }) {
        run(until: MonotonicTime(nanoseconds: 0) + plan.duration, taking: take)
        finish(taking: take)
    }

    /// Lets the senders end and what is on the way arrive.
    package mutating func finish(taking take: (Int, ReceivedFrame) -> Void = { _, _ in }) {
        for track in senders.indices {
            senders[track].plan.end = now
            deadlines[track] = senders[track].nextDeadline
        }
        run(until: now + .seconds(4), taking: take)
        receiver.flush(at: now)
        takeOutputs(take)
        for track in accounts.indices {
            accounts[track].close(senders[track], receiver.statistics(for: Self.mid(track)))
        }
    }

    /// Runs until a moment, from event to event.
    package mutating func run(until end: MonotonicTime, taking take: (Int, ReceivedFrame) -> Void = { _, _ in }) {
        var idle = 0
        while true {
            var next = earliest(earliest(downlink.nextDeadline, uplink.nextDeadline), receiver.nextDeadline)
            for deadline in deadlines { next = earliest(next, deadline) }
            next = earliest(next, changes.first?.at)
            let due = next ?? end
            idle = due <= now ? idle + 1 : 0
            precondition(idle < 1000, "a deadline that never passes")
            now = max(now, min(due, end))
            if due >= end { return }
            step(take)
        }
    }

    private mutating func step(_ take: (Int, ReceivedFrame) -> Void) {
        while let change = changes.first, change.at <= now {
            make(change.change, of: change.track)
            changes.removeFirst()
        }
        for track in senders.indices {
            guard let deadline = deadlines[track], deadline <= now else { continue }
            senders[track].wake(at: now)
            takePackets(of: track)
        }
        downlink.wake(at: now)
        while let datagram = downlink.nextOutput() {
            if PacketDemultiplexer.kind(of: datagram) == .rtp {
                noteArrival(of: datagram)
                receiver.handleRTP(datagram, at: now)
            } else {
                receiver.handleRTCP(datagram, at: now)
            }
            takeOutputs(take)
        }
        if let deadline = receiver.nextDeadline, deadline <= now {
            receiver.wake(at: now)
            takeOutputs(take)
        }
        uplink.wake(at: now)
        while let datagram = uplink.nextOutput() {
            let compound = RTCPCompound(parsing: datagram)
            for track in senders.indices {
                senders[track].handle(compound)
                takePackets(of: track)
            }
        }
        for track in accounts.indices where accounts[track].kind == .video { accounts[track].check(at: now) }
    }

    private mutating func make(_ change: Change, of track: Int) {
        switch change {
        case .newSource(let ssrc, let sequenceNumber, let timestamp):
            senders[track].changeSource(to: ssrc, sequenceNumber: sequenceNumber, timestamp: timestamp)
        case .newTimestamps(let timestamp):
            senders[track].restart(timestamp: timestamp)
        }
        accounts[track].disturbed(at: now)
    }

    private mutating func takePackets(of track: Int) {
        while let datagram = senders[track].nextOutput() {
            if !isOut { downlink.handle(datagram, at: now) }
        }
        deadlines[track] = senders[track].nextDeadline
        for sleep in senders[track].plan.sleeps where sleep.contains(now) {
            accounts[track].disturbed(at: sleep.upperBound)
        }
    }

    private var isOut: Bool { !plan.outages.isEmpty && plan.outages.contains { $0.contains(now) } }

    private mutating func takeOutputs(_ take: (Int, ReceivedFrame) -> Void) {
        while let output = receiver.nextOutput() {
            switch output {
            case .frame(let mid, let frame):
                guard let track = Int(mid.value) else { continue }
                accounts[track].delivered(frame, from: &senders[track], at: now)
                take(track, frame)
            case .send(let datagram):
                if !isOut { uplink.handle(datagram, at: now) }
                noteRequests(in: datagram)
            case .event(let mid, let event):
                if let track = Int(mid.value) { accounts[track].happened(event, at: now) }
            }
        }
    }

    private mutating func noteRequests(in datagram: [UInt8]) {
        for case .pictureLossIndication(let indication) in RTCPCompound(parsing: datagram).packets {
            for track in senders.indices where senders[track].plan.ssrc == indication.source {
                accounts[track].requestedKeyframe(at: now)
            }
        }
    }

    /// Puts down which frame a packet belongs to.
    private mutating func noteArrival(of datagram: [UInt8]) {
        guard datagram.count >= 14 else { return }
        let source = datagram[8..<12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var number = UInt16(datagram[2]) << 8 | UInt16(datagram[3])
        for track in senders.indices {
            if senders[track].plan.rtxSSRC?.value == source {
                // Its payload begins with the number that is repeated (RFC 4588 section 4).
                guard let start = (try? RTPPacket(parsing: datagram))?.payload.lowerBound else { return }
                number = UInt16(datagram[start]) << 8 | UInt16(datagram[start + 1])
            } else if senders[track].plan.ssrc.value != source {
                continue
            }
            accounts[track].arrived(number, of: &senders[track], at: now)
            return
        }
    }
}
