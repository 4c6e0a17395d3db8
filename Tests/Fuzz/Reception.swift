// What a transport receives, packet after packet: jitter buffer, retransmissions, clocks, depacketizers, feedback.
//
// The input is a list of packets: milliseconds since the one before, its length, its octets. What a packet must have so that
// it is looked at at all is put right, since SRTP lets no others pass: the version, and one of the sources of the call.
import MediaTypes
import RTP
import Reception

func fuzz(_ bytes: [UInt8]) {
    var receiver = MediaReceiver(senderSSRC: SSRC(5), cname: "fuzz")
    var now = MonotonicTime(nanoseconds: 0)
    receiver.configure(sections, at: now)
    var lastTimes: [MediaSectionID: MonotonicTime] = [:]
    var rest = bytes[...]
    while rest.count > 2, let wait = rest.popFirst(), let length = rest.popFirst() {
        var packet = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(Int(length))
        now = now + .milliseconds(Int(wait & 0x7f))
        if packet.count >= 12 {
            packet[0] = 0x80 | packet[0] & 0x3f
            if PacketDemultiplexer.kind(of: packet) == .rtp { packet.replaceSubrange(8..<11, with: [0, 0, 0]) }
        }
        switch PacketDemultiplexer.kind(of: packet) {
        case .rtcp: receiver.handleRTCP(packet, at: now)
        case .rtp: receiver.handleRTP(packet, at: now)
        default: if wait & 0x80 != 0 { receiver.configure(sections.reversed(), at: now) }
        }
        if let deadline = receiver.nextDeadline, deadline <= now { receiver.wake(at: now) }
        take(&receiver, &lastTimes)
    }
    receiver.flush(at: now)
    take(&receiver, &lastTimes)
}

private func take(_ receiver: inout MediaReceiver, _ lastTimes: inout [MediaSectionID: MonotonicTime]) {
    while let output = receiver.nextOutput() {
        switch output {
        case .frame(let mid, let frame):
            precondition(lastTimes[mid].map { $0 <= frame.captureTime } ?? true, "a frame goes back in time")
            lastTimes[mid] = frame.captureTime
        case .send(let datagram): precondition(RTCPCompound(parsing: datagram).error == nil, "our RTCP is malformed")
        case .event: break
        }
    }
}

private let sections: [MediaReceiver.Section] = {
    var audio = MediaReceiver.Section(
        mid: MediaSectionID("0"), kind: .audio,
        payloadTypes: [PayloadType(111): PayloadFormat(codec: .opus, clockRate: 48000, channels: 2)])
    audio.ssrcs = [SSRC(1)]
    audio.audioLevelExtension = 1
    audio.midExtension = 4
    audio.transportSequenceExtension = 3
    audio.nack = true
    audio.transportFeedback = true
    var video = MediaReceiver.Section(
        mid: MediaSectionID("1"), kind: .video,
        payloadTypes: [PayloadType(96): PayloadFormat(codec: .vp8, clockRate: 90000)])
    video.rtx = [PayloadType(97): PayloadType(96)]
    video.ssrcs = [SSRC(2)]
    video.rtxSSRCs = [SSRC(3)]
    video.midExtension = 4
    video.transportSequenceExtension = 3
    video.nack = true
    video.pli = true
    video.transportFeedback = true
    return [audio, video]
}()
