import MediaEngines
import MediaTypes

/// One video track in the making of a composite: the frames that wait for their tick, and the picture they have led to.
final class PictureTrack {
    let id: TrackID
    /// Whether the track has been announced. Frames may have been captured before that; they wait.
    var isStarted = false
    /// The picture decoded last, for as long as it can be drawn.
    var picture: DecodedPicture? { isBroken ? nil : decoder?.picture }
    private(set) var rate = PictureRate()
    /// Counts the pictures, so that one can be told from the next.
    private(set) var version = 0
    private(set) var undecodable = 0
    /// Told once a second what a decoded picture looks like.
    var onLook: ((PictureLook, TimelineTime) -> Void)?

    private var waiting: [EncodedFrame] = []
    /// How many of `waiting` have been assigned to ticks, and how many have been decoded.
    private var assigned = 0
    private var decoded = 0
    private var decoder: VPXDecoder?
    /// How the pictures are to be turned from which frames on.
    private var turns: [(time: TimelineTime, rotation: PictureRotation)] = []
    /// Whether decoding has to wait for a keyframe.
    private var isBroken = true
    private var nextLook = TimelineTime.zero

    init(id: TrackID) { self.id = id }

    func append(_ frame: EncodedFrame) { waiting.append(frame) }

    /// Frames captured from `time` on are to be turned in this way.
    func turn(_ rotation: PictureRotation, from time: TimelineTime) { turns.append((time, rotation)) }

    /// Assigns the frames captured before `end` to the present tick and returns how many frames are to be decoded by then.
    func assign(before end: TimelineTime, _ body: (EncodedFrame) -> Void) -> Int {
        guard isStarted else { return assigned }
        while assigned < waiting.count, waiting[assigned].time < end {
            body(waiting[assigned])
            assigned += 1
        }
        return assigned
    }

    /// Decodes up to so many of the waiting frames. Whoever wants the picture takes it before the next call.
    /// - Parameter second: which second of the output they belong to.
    func decode(upTo count: Int, inSecond second: Int64) {
        while decoded < count {
            let last = version
            decode(waiting[decoded])
            if version != last { rate.add(inSecond: second) }
            decoded += 1
        }
    }

    /// Passes over the frames captured before `end`.
    func skip(before end: TimelineTime, _ body: (EncodedFrame) -> Void) {
        let count = assign(before: end, body)
        guard count > decoded else { return }
        decoded = count
        isBroken = true
    }

    /// Forgets the frames that have been decoded.
    func endWindow() {
        waiting.removeFirst(decoded)
        assigned -= decoded
        decoded = 0
    }

    private func decode(_ frame: EncodedFrame) {
        if isBroken, !frame.isKeyframe { return }
        do {
            let decoder = try decoder ?? VPXDecoder(frame.codec)
            self.decoder = decoder
            while let turn = turns.first, turn.time <= frame.time {
                decoder.rotation = turn.rotation
                turns.removeFirst()
            }
            if let picture = try decoder.decode(frame.payload) {
                version += 1
                if let onLook, frame.time >= nextLook {
                    nextLook = frame.time + .seconds(1)
                    onLook(picture.look, frame.time)
                }
            }
            isBroken = false
        } catch {
            undecodable += 1
            isBroken = true
        }
    }
}
