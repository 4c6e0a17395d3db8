import MediaTypes
import RTP

// What goes back. Each compound is about one source, and that is the first that its report names: some servers decide by it
// whom a request is for.
extension MediaReceiver {
    /// Numbers asked for in one packet; more go into a second one, so that no datagram is larger than a path takes.
    private static let mostRequestsInPacket = 250

    /// Sends what one track has to say now.
    mutating func sendFeedback(of index: Int, at now: MonotonicTime) {
        let isReport = tracks[index].shouldReport(at: now)
        var numbers = tracks[index].retransmissionRequests(at: now)[...]
        let wantsKeyframe = tracks[index].shouldRequestKeyframe(at: now)
        guard isReport || !numbers.isEmpty || wantsKeyframe, let source = tracks[index].feedbackSource else { return }

        var packets = opening(about: index, at: now, closesInterval: isReport)
        if wantsKeyframe {
            packets.append(.pictureLossIndication(PictureLossIndication(sender: senderSSRC, source: source)))
        }
        while !numbers.isEmpty {
            let some = Array(numbers.prefix(Self.mostRequestsInPacket))
            numbers = numbers.dropFirst(some.count)
            packets.append(
                .genericNACK(GenericNACK(sender: senderSSRC, source: source, sequenceNumbers: some)))
            if !numbers.isEmpty {
                send(packets)
                packets = opening(about: index, at: now, closesInterval: false)
            }
        }
        send(packets)
    }

    mutating func sendTransportFeedback(at now: MonotonicTime) {
        guard let deadline = transportFeedback.nextDeadline, deadline <= now else { return }
        let index = feedbackTrack
        let source = index.flatMap { tracks[$0].feedbackSource } ?? SSRC(0)
        for feedback in transportFeedback.feedback(sender: senderSSRC, source: source, at: now) {
            send(opening(about: index, at: now, closesInterval: false) + [.transportFeedback(feedback)])
        }
    }

    mutating func sendGoodbye(at now: MonotonicTime) {
        send(opening(about: nil, at: now, closesInterval: false) + [.goodbye(Goodbye(sources: [senderSSRC]))])
    }

    /// What every compound begins with (RFC 3550 section 6.1): a report, and who sends it.
    private mutating func opening(about index: Int?, at now: MonotonicTime, closesInterval: Bool) -> [RTCPPacket] {
        let block = index.flatMap { tracks[$0].reportBlock(at: now, closesInterval: closesInterval) }
        return [
            .receiverReport(ReceiverReport(ssrc: senderSSRC, reportBlocks: block.map { [$0] } ?? [])),
            .sourceDescription(SourceDescription(chunks: [.init(ssrc: senderSSRC, cname: cname)])),
        ]
    }

    private mutating func send(_ packets: [RTCPPacket]) {
        outputs.append(.send(RTCPCompound(packets).serialized()))
    }
}
