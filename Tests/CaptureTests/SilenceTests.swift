import CallbotTesting
import Capture
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

/// Nothing came for a while: the file is as long as the time was, though it be taken packet after packet.
struct SilenceTests {
    private struct File {
        var sounds: [EncodedFrame] = []
        var fillers: [EncodedFrame] = []
        /// How long it is for whoever looks at no times.
        var length = Duration.zero
        /// The largest difference between a packet's time and the end of the one before.
        var largestStep = Duration.zero

        init(_ path: String) throws {
            let reader = try WebMReader(path: path)
            var end: TimelineTime?
            while let frame = try reader.nextFrame()?.frame {
                if OpusSilence.isFiller(frame.payload) { fillers.append(frame) } else { sounds.append(frame) }
                if let end { largestStep = max(largestStep, frame.time - end, end - frame.time) }
                end = frame.time + (frame.duration ?? .zero)
                length += frame.duration ?? .zero
            }
        }
    }

    private func call(finishing: Bool = true, _ times: [Int64], ticksUpTo end: Int64) throws -> (Scene, File) {
        let scene = try Scene()
        scene.join("1", "Ada")
        scene.start(1, of: "1", .microphone)
        var times = times[...]
        for now in stride(from: Int64(0), through: end, by: 100) {
            while let time = times.first, time <= now {
                scene.capture.frame(sound(at: time), of: TrackID(1))
                times.removeFirst()
            }
            scene.capture.tick(at: .ms(now))
        }
        if finishing { scene.capture.finish(at: .ms(end), stopped) }
        #expect(scene.failures().isEmpty)
        return (scene, try File(scene.folder + "/tracks/01-Ada-microphone.webm"))
    }

    @Test func whatIsMutedOrLostOrNotSentIsSilence() throws {
        // Speech from 1.007 s, a mute of 7 s, one packet in 400 ms as with DTX, then one lost packet; over at 20 s.
        let speech =
            Array(stride(from: Int64(1007), to: 3007, by: 20)) + stride(from: Int64(10_011), to: 12_000, by: 400)
        let tail = stride(from: Int64(12_411), to: 14_000, by: 20).filter { $0 != 13_011 }
        let (scene, file) = try call(speech + tail, ticksUpTo: 20_000)
        #expect(file.sounds.map(\.time) == (speech + tail).map { TimelineTime.ms($0) })
        #expect(abs((file.length - .milliseconds(20_000 - 1007)).microseconds) < 20_000)
        #expect(file.largestStep < .milliseconds(20))
        let track = try #require(try scene.read().tracks.first)
        #expect(track.frames == file.sounds.count && track.bytes == Int64(31 * file.sounds.count))
        #expect(track.firstFrame == .ms(1007) && track.lastFrame == file.sounds.last?.time)
    }

    @Test func soundWithoutGapsIsLeftAsItIs() throws {
        // The times of a clock that runs 1000 ppm fast, to the millisecond.
        let times = (0..<500).map { 100 + $0 * 20 + $0 * 20 / 1000 }
        let (_, file) = try call(times.map(Int64.init), ticksUpTo: 10_130)
        #expect(file.fillers.count <= 1)
    }

    @Test func aSilenceThatLastsIsThereThoughTheRecorderBeKilled() throws {
        let (_, file) = try call(finishing: false, [100, 120], ticksUpTo: 60_000)
        #expect(file.length > .milliseconds(56_700) && file.length < .milliseconds(57_000))
    }

    @Test func aTrackThatEndedIsNotLongerThanItLasted() throws {
        let scene = try Scene()
        scene.join("1", "Ada")
        scene.start(1, of: "1", .microphone)
        for time in stride(from: Int64(0), to: 1000, by: 20) { scene.capture.frame(sound(at: time), of: TrackID(1)) }
        scene.capture.record(.trackEnded(TrackID(1)), at: .ms(1500))
        for now in stride(from: Int64(1500), through: 30_000, by: 250) { scene.capture.tick(at: .ms(now)) }
        scene.capture.finish(at: .ms(30_000), stopped)
        let file = try File(scene.folder + "/tracks/01-Ada-microphone.webm")
        #expect(file.length == .milliseconds(1500))
    }
}
