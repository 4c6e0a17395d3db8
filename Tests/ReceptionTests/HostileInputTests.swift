import CallbotTesting
import MediaTypes
import RTP
import Testing

@testable import Reception

/// No packet does harm, however wrong it is: SRTP proves who sent it, not that it makes sense.
@Suite struct HostileInputTests {
    @Test(arguments: 0..<20)
    func noPacketDoesHarm(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var sender = RTPSender(
            videoPlan {
                $0.mid = (4, "0")
                $0.transportSequenceExtension = 3
                $0.rtxSSRC = SSRC(11)
            }, seed: seed)
        var audio = RTPSender(audioPlan { $0.audioLevelExtension = 1 }, seed: seed)
        var receiver = MediaReceiver(senderSSRC: SSRC(5), cname: "bot")
        var now = MonotonicTime(nanoseconds: 0)
        let sections = [
            Simulation.section(of: sender.plan, mid: Simulation.mid(0)),
            Simulation.section(of: audio.plan, mid: Simulation.mid(1)),
        ]
        receiver.configure(sections, at: now)
        var lastTimes: [MediaSectionID: MonotonicTime] = [:]
        for _ in 0..<3000 {
            now = now + .milliseconds(10)
            sender.wake(at: now)
            audio.wake(at: now)
            var datagrams: [[UInt8]] = []
            while let datagram = sender.nextOutput() ?? audio.nextOutput() { datagrams.append(datagram) }
            for datagram in datagrams {
                var twin = datagram
                if generator.chance(0.3) {
                    for _ in 0..<Int.random(in: 1...4, using: &generator) {
                        twin[Int.random(in: twin.indices, using: &generator)] = UInt8(
                            truncatingIfNeeded: generator.next())
                    }
                }
                if generator.chance(0.1) {
                    twin = Array(twin.prefix(Int.random(in: 0...twin.count, using: &generator)))
                }
                if PacketDemultiplexer.kind(of: datagram) == .rtcp {
                    receiver.handleRTCP(twin, at: now)
                } else {
                    receiver.handleRTP(twin, at: now)
                }
            }
            if generator.chance(0.002) { receiver.configure(sections.shuffled(using: &generator), at: now) }
            if let deadline = receiver.nextDeadline, deadline <= now { receiver.wake(at: now) }
            if let deadline = receiver.nextDeadline { #expect(deadline > now) }
            while let output = receiver.nextOutput() {
                switch output {
                case .frame(let mid, let frame):
                    #expect(lastTimes[mid].map { $0 <= frame.captureTime } ?? true)
                    lastTimes[mid] = frame.captureTime
                case .send(let datagram):
                    #expect(RTCPCompound(parsing: datagram).error == nil)
                    #expect(datagram.count <= 1400)
                case .event(let mid, .ended):
                    lastTimes[mid] = nil
                case .event:
                    continue
                }
            }
        }
        receiver.flush(at: now)
    }

    @Test func aFrameWithoutEndTakesNoMemoryWithoutEnd() {
        var assembler = VideoFrameAssembler()
        var frames: [AssembledFrame] = []
        var packet = OutgoingRTPPacket(
            payloadType: PayloadType(96), sequenceNumber: SequenceNumber(0), timestamp: 0, ssrc: SSRC(1),
            payload: [0x10, 0x10, 0, 0, 0x9d, 1, 0x2a, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 50_000))
        for index in 0..<1000 {
            if index > 0 { packet.payload[0] = 0 }
            guard let parsed = try? RTPPacket(parsing: packet.serialized()) else { return }
            assembler.handle(parsed, part: VideoPart(vp8: parsed), into: &frames)
            #expect(assembler.heldBytes <= VideoFrameAssembler.largestFrame)
        }
        assembler.finish(into: &frames)
        #expect(frames.isEmpty)
        #expect(assembler.counts.incompleteFrames == 1)
    }
}
