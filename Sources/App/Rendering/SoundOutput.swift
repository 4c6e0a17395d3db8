import Composition
import MediaEngines
import MediaTypes

/// The composite's sound: all audio tracks into one mix, the mix into packets of 20 ms.
final class SoundOutput {
    private(set) var packets: [EncodedFrame] = []
    private(set) var packetCount = 0
    let preSkip: Int

    private var tracks: [TrackID: SoundTrack] = [:]
    private var ended: Set<TrackID> = []
    private var dismissed = (undecodable: 0, concealed: 0)
    private var mixer = AudioMixer()
    private let encoder: OpusEncoder
    private var mixed: [Float] = []

    init(bitRate: Int) throws(CodecError) {
        encoder = try OpusEncoder(OpusEncoder.Settings(bitRate: bitRate))
        preSkip = encoder.preSkip
    }

    var undecodableFrames: Int { tracks.values.reduce(dismissed.undecodable) { $0 + $1.undecodable } }
    var concealedPackets: Int { tracks.values.reduce(dismissed.concealed) { $0 + $1.concealed } }
    var lateSamples: Int64 { mixer.lateSamples }

    func append(_ frame: EncodedFrame, of id: TrackID) {
        guard frame.codec == .opus else { return }
        let track = tracks[id] ?? SoundTrack()
        tracks[id] = track
        track.append(frame)
    }

    /// Says that a track has ended: its decoder goes as soon as it has fallen silent.
    func end(_ id: TrackID) { ended.insert(id) }

    /// Where the packets end: nothing before it is still to be encoded.
    var end: TimelineTime { time(of: packetCount) }

    /// Mixes and encodes as much as can be known when nothing captured before `end` will come any more.
    func advance(to end: TimelineTime) throws(CodecError) {
        mixTracks(before: end)
        let known = end - SoundTrack.concealmentReach
        try encode(upTo: known.samplePosition - AudioPlacement.holdBack - AudioMixer.lookAhead - SoundTrack.senderDelay)
    }

    /// Mixes and encodes the rest, so that a player gets every sample before `end` out of its decoder.
    func finish(at end: TimelineTime) throws(CodecError) {
        mixTracks(before: end)
        for id in tracks.keys.sorted() { tracks[id]?.finish(into: &mixer) }
        let last = max(0, end.samplePosition)
        mixer.take(upTo: last, into: &mixed)
        let length = Int64(OpusEncoder.framesPerPacket)
        let padded = (last + Int64(preSkip) + length - 1) / length * length
        mixed.append(contentsOf: repeatElement(0, count: Int(padded - last) * 2))
        try encodeMixed()
    }

    func takePackets() -> [EncodedFrame] {
        defer { packets = [] }
        return packets
    }

    private func mixTracks(before end: TimelineTime) {
        // In the order of the tracks, so that sums are rounded in the same way every time.
        for id in tracks.keys.sorted() { tracks[id]?.mix(before: end, into: &mixer) }
        for id in ended {
            guard let track = tracks[id], track.isSilent else { continue }
            dismissed.undecodable += track.undecodable
            dismissed.concealed += track.concealed
            tracks[id] = nil
            ended.remove(id)
        }
    }

    private func encode(upTo position: Int64) throws(CodecError) {
        mixer.take(upTo: position, into: &mixed)
        try encodeMixed()
    }

    private func encodeMixed() throws(CodecError) {
        let length = OpusEncoder.framesPerPacket * 2
        var start = 0
        while mixed.count - start >= length {
            let payload = try encoder.encode(Array(mixed[start..<start + length]))
            packets.append(
                EncodedFrame(
                    codec: .opus, time: time(of: packetCount), duration: .milliseconds(20), isKeyframe: true,
                    payload: payload))
            packetCount += 1
            start += length
        }
        mixed.removeFirst(start)
    }

    private func time(of packet: Int) -> TimelineTime { TimelineTime(microseconds: Int64(packet) * 20_000) }
}
