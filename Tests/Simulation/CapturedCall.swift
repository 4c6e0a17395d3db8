package import CallbotTesting
import Capture
import MediaEngines
import MediaTypes
import RTP
import Reception
import RecordingFormat
import Rendering
import RoomProtocol
import Storage
import WebMReading

/// A simulated call of one participant that goes the whole way: through the receiver into a recording's files, and from these
/// into a composite. Every five seconds of true time there is a flash and a click, which are found again in both.
package struct CapturedCall {
    /// How much later the picture is than the sound at each flash, in milliseconds, by how they stand in a file.
    package struct Offsets {
        package var values: [(at: Duration, offset: Double)] = []

        /// Those around a share of the call, 0 to 1.
        package func near(_ share: Double, of duration: Duration) -> [Double] {
            values.filter { abs($0.at.seconds / duration.seconds - share) < 0.02 }.map(\.offset)
        }
    }

    /// Of the flash before the clock has settled nothing is said.
    package static let settling = Duration.seconds(15)
    static let interval: Int64 = 5_000_000_000
    static let pictureRate: Int64 = 50

    package private(set) var call: SimulatedCall
    package let folder: String
    package let duration: Duration
    /// What the files hold that they should not, or do not hold that they should.
    package private(set) var faults: [String] = []
    private let content: SignalContent

    /// - Parameters:
    ///   - plan: its tracks are made here: a microphone, and a camera of ten pictures a second.
    ///   - folder: must not exist yet.
    package init(_ plan: SimulatedCall.Plan, skews: (sound: Double, picture: Double), into folder: String) throws {
        let content = try SignalContent()
        self.content = content
        self.folder = folder
        duration = plan.duration
        var plan = plan
        let pauses = [0.3, 0.7].map { share in
            let start = MonotonicTime(nanoseconds: 0) + plan.duration * share
            return start..<start + .seconds(20)
        }
        plan.addParticipant(
            audio: {
                $0.frameInterval = .milliseconds(20)
                $0.skew = skews.sound
                $0.firstTimestamp = .max - 3_000_000
                $0.firstSequenceNumber = 65_000
                $0.keepsPayloads = false
                $0.content = content.sound
                $0.pauses = [pauses[0]]
            },
            video: {
                $0.frameInterval = .milliseconds(100)
                $0.packetsPerFrame = 1...1
                $0.skew = skews.picture
                $0.firstTimestamp = .max - 5_000_000
                $0.keepsPayloads = false
                $0.content = content.picture
                $0.pauses = [pauses[1]]
            })
        call = SimulatedCall(plan)
    }

    /// Runs the call into the files.
    package mutating func record() throws {
        let origin = MonotonicTime(nanoseconds: 0)
        let capture = try Capture(
            at: .folder(folder),
            manifest: RecordingManifest(
                id: RecordingID("20261130T000000Z-simu"), software: "callbot simulation",
                room: .init(address: "simulated"),
                origin: WallTime(microseconds: 1_796_000_000_000_000)), room: "simulated")
        let ada = ParticipantID("1")
        capture.record(.participantJoined(Participant(id: ada, name: "Ada")), at: .zero)
        for (track, kind) in [MediaKind.audio, .video].enumerated() {
            let section = MediaSectionID("\(track)")
            capture.record(
                .trackStarted(
                    TrackPublication(
                        id: TrackID(track + 1), participant: ada, kind: kind,
                        source: kind == .audio ? .microphone : .camera, codec: kind == .audio ? .opus : .vp8,
                        description: "",
                        publishedAs: section, section: section)), at: .zero)
        }
        var kept = [0, 0]
        func take(_ track: Int, _ frame: ReceivedFrame) {
            guard frame.captureTime >= origin else { return }
            kept[track] += 1
            capture.frame(
                EncodedFrame(
                    codec: frame.codec, time: .zero + (frame.captureTime - origin), duration: frame.duration,
                    isKeyframe: frame.isKeyframe, size: frame.size, payload: frame.payload), of: TrackID(track + 1))
        }
        var now = origin
        while now < origin + duration {
            now = now + .milliseconds(250)
            call.run(until: now, taking: take)
            capture.tick(at: .zero + (now - origin))
        }
        call.finish(taking: take)
        capture.finish(at: .zero + duration, RecordingEnding(reason: "stopped"))
        while let failure = capture.nextFailure() { faults.append("\(failure)") }
        for (track, account) in call.accounts.enumerated() {
            faults += account.violations.prefix(3).map { "track \(track): \($0)" }
            let recorded = capture.manifest.tracks[track]
            if recorded.frames + recorded.dropped.total != kept[track] || account.deliveredFrames - kept[track] > 5 {
                faults.append("track \(track): \(recorded.frames) frames of \(account.deliveredFrames) are in the file")
            }
            if let lost = account.statistics?.lost, lost > 0 { faults.append("track \(track): \(lost) packets lost") }
        }
    }

    /// How the flashes and clicks stand in the tracks' files.
    package mutating func offsetsInTracks() throws -> Offsets {
        var times: [[TimelineTime]] = []
        for (track, path) in ["tracks/01-Ada-microphone.webm", "tracks/02-Ada-camera.webm"].enumerated() {
            let reader = try WebMReader(path: folder + "/" + path)
            var found: [TimelineTime] = []
            while let frame = try reader.nextFrame()?.frame {
                let isSignal = track == 0 ? content.isClick(frame.payload) : content.isFlash(frame.payload)
                if isSignal { note(frame.time, in: &found) }
            }
            check(reader, path)
            times.append(found)
        }
        return offsets(sounds: times[0], pictures: times[1])
    }

    /// How they stand in the composite, which is made first.
    package mutating func offsetsInComposite() throws -> Offsets {
        var settings = RenderSettings()
        settings.size = PixelSize(width: 64, height: 48)
        settings.framesPerSecond = Int(Self.pictureRate)
        settings.videoBitRate = 200_000
        settings.hasLabels = false
        settings.hasBadges = false
        settings.marksSpeakers = false
        settings.background = Colour(0)
        let path = folder + "/call.webm"
        _ = try RecordingRendering(folder: folder, settings: settings).render(to: path)
        let reader = try WebMReader(path: path)
        let (pictures, sound) = (try VPXDecoder(.vp8), try OpusDecoder(channels: 1))
        var (flashes, clicks): ([TimelineTime], [TimelineTime]) = ([], [])
        var samples: [Float] = []
        while let (track, frame) = try reader.nextFrame() {
            if frame.codec == .opus {
                let count = try sound.decode(frame.payload, into: &samples)
                if let first = samples[..<count].firstIndex(where: { abs($0) > 0.1 }) {
                    let delay = reader.tracks.first { $0.number == track }?.codecDelay ?? .zero
                    note(frame.time + .microseconds(Int64(first) * 1_000_000 / 48_000) - delay, in: &clicks)
                }
            } else if let picture = try pictures.decode(frame.payload), !picture.look.isBlack {
                // A picture is shown from the beginning of the tick in which it was captured.
                note(frame.time + .microseconds(500_000 / Self.pictureRate), in: &flashes)
            }
        }
        check(reader, "call.webm")
        return offsets(sounds: clicks, pictures: flashes)
    }

    private func note(_ time: TimelineTime, in found: inout [TimelineTime]) {
        if found.last.map({ time - $0 > .seconds(2) }) ?? true { found.append(time) }
    }

    private mutating func check(_ reader: WebMReader, _ path: String) {
        guard let stated = reader.duration, abs((stated - duration).microseconds) < 20_000 else {
            return faults.append("\(path): \(String(describing: reader.duration)) and not \(duration)")
        }
    }

    /// Each flash and click is held against the true time of the frame that it begins with.
    private func offsets(sounds: [TimelineTime], pictures: [TimelineTime]) -> Offsets {
        let (clicks, flashes) = (onsets(of: 0), onsets(of: 1))
        func error(_ found: [TimelineTime], _ truth: TimelineTime) -> Double? {
            found.min { abs(($0 - truth).nanoseconds) < abs(($1 - truth).nanoseconds) }
                .flatMap { abs(($0 - truth).nanoseconds) < 1_000_000_000 ? ($0 - truth).seconds * 1000 : nil }
        }
        var offsets = Offsets()
        for (number, flash) in flashes {
            guard let click = clicks[number], flash - .zero > Self.settling, flash - .zero < duration - .seconds(1),
                let late = error(pictures, flash), let soundLate = error(sounds, click)
            else { continue }
            offsets.values.append((flash - .zero, late - soundLate))
        }
        offsets.values.sort { $0.at < $1.at }
        return offsets
    }

    /// When the first frame of each flash, or click, was captured, by its number.
    private func onsets(of track: Int) -> [Int64: TimelineTime] {
        var onsets: [Int64: TimelineTime] = [:]
        for frame in call.senders[track].sent where SignalContent.isSignal(frame.time) {
            let number = frame.time.nanoseconds / Self.interval
            if onsets[number] == nil { onsets[number] = TimelineTime(microseconds: frame.time.nanoseconds / 1000) }
        }
        return onsets
    }
}
