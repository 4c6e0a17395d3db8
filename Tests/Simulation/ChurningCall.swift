import CallbotTesting
import Capture
import MediaTypes
import RTP
import Reception
import RecordingFormat
import RoomProtocol

/// A call of four seats with somebody leaving, or somebody else coming, every ten seconds, through the receiver into a recording's
/// files, for as long as one likes: to see what grows.
package struct ChurningCall {
    private static let stay: Int64 = 10_000_000_000
    private static let seats = 4

    private struct Seat {
        var person: Int
        var senders: [RTPSender]
        var tracks: [TrackID]
    }

    private let capture: Capture
    private var receiver = MediaReceiver(senderSSRC: SSRC(0xb07), cname: "bot")
    private var seats: [Seat] = []
    private var people = 0
    private var tracks = 0
    private var now = MonotonicTime(nanoseconds: 0)
    private var nextFigures = MonotonicTime(nanoseconds: 0)
    /// Frames that were kept.
    package private(set) var frames = 0

    package init(into folder: String) throws {
        capture = try Capture(
            at: .folder(folder),
            manifest: RecordingManifest(
                id: RecordingID("20261130T000000Z-simu"), software: "callbot simulation",
                room: .init(address: "simulated"),
                origin: WallTime(microseconds: 1_796_000_000_000_000)), room: "simulated",
            synchronizing: Capture.usualSynchronizing)
        for _ in 0..<Self.seats { seats.append(newcomer()) }
        for index in seats.indices { sitDown(index) }
        configure()
    }

    /// How many tracks are in memory.
    package var liveTracks: Int { capture.liveTracks }

    /// How many have been there so far.
    package var visitors: Int { people }

    package mutating func run(for duration: Duration) {
        let end = now + duration
        while now < end {
            let turn = now.nanoseconds / Self.stay
            let next = MonotonicTime(nanoseconds: (turn + 1) * Self.stay)
            run(until: min(next, end))
            guard now >= next else { continue }
            if turn % 2 == 0 { vacate(Int(turn / 2) % Self.seats) } else { occupy(Int(turn / 2) % Self.seats) }
        }
    }

    package func finish() {
        capture.finish(at: .zero + (now - MonotonicTime(nanoseconds: 0)), RecordingEnding(reason: "stopped"))
    }

    private mutating func run(until end: MonotonicTime) {
        var tick = now + .milliseconds(250)
        while now < end {
            var next = earliest(min(tick, end), receiver.nextDeadline) ?? end
            for seat in seats { for sender in seat.senders { next = earliest(next, sender.nextDeadline) ?? next } }
            now = max(now, min(next, end))
            for seat in seats.indices {
                for sender in seats[seat].senders.indices {
                    seats[seat].senders[sender].wake(at: now)
                    while let datagram = seats[seat].senders[sender].nextOutput() {
                        if PacketDemultiplexer.kind(of: datagram) == .rtp {
                            receiver.handleRTP(datagram, at: now)
                        } else {
                            receiver.handleRTCP(datagram, at: now)
                        }
                    }
                }
            }
            if let deadline = receiver.nextDeadline, deadline <= now { receiver.wake(at: now) }
            take()
            if now >= tick {
                if now >= nextFigures { reportReception() }
                capture.tick(at: time)
                while capture.nextFailure() != nil {}
                tick = now + .milliseconds(250)
            }
        }
    }

    private var time: TimelineTime { .zero + (now - MonotonicTime(nanoseconds: 0)) }

    private mutating func take() {
        while let output = receiver.nextOutput() {
            guard case .frame(let mid, let frame) = output, let section = Int(mid.value) else { continue }
            frames += 1
            capture.frame(
                EncodedFrame(
                    codec: frame.codec, time: .zero + (frame.captureTime - MonotonicTime(nanoseconds: 0)),
                    duration: frame.duration, isKeyframe: frame.isKeyframe, size: frame.size, payload: frame.payload),
                of: seats[section / 2].tracks[section % 2])
        }
    }

    /// What the network has to say of every track, once a second, as a recorder tells it.
    private mutating func reportReception() {
        nextFigures = now + .seconds(1)
        var figures: [TrackID: ReceptionFigures] = [:]
        for (index, seat) in seats.enumerated() {
            for (number, track) in seat.tracks.enumerated() {
                guard let found = receiver.statistics(for: MediaSectionID("\(index * 2 + number)")) else { continue }
                var own = ReceptionFigures()
                own.packets = found.packets
                own.lost = found.lost
                own.jitter = found.jitter
                own.clockError = found.clockError
                own.usesSenderReports = found.usesSenderReports
                figures[track] = own
            }
        }
        capture.reporting.builder.receive(figures, at: time)
    }

    private mutating func newcomer() -> Seat {
        people += 1
        let base = UInt32(people) * 4
        var sound = RTPSender.Plan()
        sound.codec = .opus
        sound.ssrc = SSRC(base)
        sound.payloadType = PayloadType(111)
        sound.frameInterval = .milliseconds(60)
        sound.bytesPerPacket = 20
        sound.start = now
        var picture = RTPSender.Plan()
        picture.ssrc = SSRC(base + 1)
        picture.rtxSSRC = SSRC(base + 2)
        picture.frameInterval = .milliseconds(200)
        picture.packetsPerFrame = 1...2
        picture.bytesPerPacket = 24
        picture.start = now
        tracks += 2
        return Seat(
            person: people,
            senders: [RTPSender(sound, seed: UInt64(base)), RTPSender(picture, seed: UInt64(base + 1))],
            tracks: [TrackID(tracks - 1), TrackID(tracks)])
    }

    private mutating func sitDown(_ index: Int) {
        let seat = seats[index]
        let id = ParticipantID("\(seat.person)")
        capture.record(.participantJoined(Participant(id: id, name: "Visitor \(seat.person)")), at: time)
        for (number, track) in seat.tracks.enumerated() {
            let section = MediaSectionID("\(index * 2 + number)")
            capture.record(
                .trackPublished(
                    id, number == 0 ? .audio : .video, publishedAs: section, codec: number == 0 ? .opus : .vp8),
                at: time)
            capture.record(
                .trackStarted(
                    TrackPublication(
                        id: track, participant: id, kind: number == 0 ? .audio : .video,
                        source: number == 0 ? .microphone : .camera, codec: number == 0 ? .opus : .vp8, description: "",
                        publishedAs: section, section: section)), at: time)
        }
    }

    private mutating func vacate(_ index: Int) {
        let seat = seats[index]
        for number in 0...1 { receiver.end(MediaSectionID("\(index * 2 + number)")) }
        take()
        let id = ParticipantID("\(seat.person)")
        for (number, track) in seat.tracks.enumerated() {
            capture.record(.trackUnpublished(id, publishedAs: MediaSectionID("\(index * 2 + number)")), at: time)
            capture.record(.trackEnded(track), at: time)
        }
        capture.record(.participantLeft(id, .quit), at: time)
        for sender in seat.senders.indices { seats[index].senders[sender].plan.end = now }
    }

    private mutating func occupy(_ index: Int) {
        seats[index] = newcomer()
        sitDown(index)
        configure()
    }

    private mutating func configure() {
        let sections = seats.indices.flatMap { index in
            (0...1).map { number in
                let plan = seats[index].senders[number].plan
                var section = MediaReceiver.Section(
                    mid: MediaSectionID("\(index * 2 + number)"), kind: number == 0 ? .audio : .video,
                    payloadTypes: [plan.payloadType: PayloadFormat(codec: plan.codec, clockRate: plan.clockRate)])
                section.ssrcs = [plan.ssrc]
                section.nack = true
                section.pli = number == 1
                return section
            }
        }
        receiver.configure(sections, at: now)
    }
}
