import MediaTypes
import RTP

/// Joins packets in order to frames of video. Gives whole frames only; what follows a loss is given, and marked, until
/// a keyframe heals it; before the first keyframe nothing is given.
struct VideoFrameAssembler: Sendable {
    /// Whether the pictures that a frame may refer to are there.
    enum Reference: Equatable {
        /// No keyframe has come. Nothing can be decoded.
        case none
        /// Everything since the last keyframe was given.
        case whole
        /// Something since the last keyframe is missing.
        case broken
    }

    private struct Frame {
        var first: RTPPacket
        var last: RTPPacket
        var part: VideoPart
        /// A packet of it is missing or unreadable.
        var isBroken: Bool
    }

    /// More than this is no picture but an attack on memory.
    static let largestFrame = 16 << 20

    private(set) var reference = Reference.none
    private(set) var counts = AssemblyCounts()
    private var current: Frame?
    /// The current frame's packets so far, and the sum of their data.
    private var pieces: [(bytes: [UInt8], data: Range<Int>)] = []
    private(set) var heldBytes = 0
    private var picture: VideoPart.Picture?
    /// Packets were lost since the last one, and it is not known yet what was in them.
    private var hasGap = false
    private var hasMarkers = false

    /// Whether all of a keyframe so far is here, and only its end is not.
    var isInKeyframe: Bool { current.map { $0.part.isKeyframe && !$0.isBroken } ?? false }

    /// Packets are missing between the last one and the next.
    mutating func noteLoss() {
        hasGap = true
        current?.isBroken = true
    }

    /// - Parameter part: what the packet carries; nil when that could not be read.
    mutating func handle(_ packet: RTPPacket, part: VideoPart?, into frames: inout [AssembledFrame]) {
        if packet.payload.isEmpty { return }
        if let current, current.first.timestamp != packet.timestamp { finish(into: &frames) }
        guard let part else {
            counts.malformedPackets += 1
            noteLoss()
            return
        }
        if part.startsFrame {
            finish(into: &frames)
            begin(packet, part)
        } else if current == nil {
            current = Frame(first: packet, last: packet, part: part, isBroken: true)
        }
        current?.last = packet
        pieces.append((packet.bytes, part.data))
        heldBytes += part.data.count
        if heldBytes > Self.largestFrame {
            current?.isBroken = true
            dropPieces()
        }
        if packet.marker {
            hasMarkers = true
            finish(into: &frames)
        }
    }

    /// Nothing more of the frame will come: one that only lacks its marker is whole as far as can be known, where the sender
    /// sets none, or another frame has begun.
    mutating func finish(into frames: inout [AssembledFrame], isEnd: Bool = false) {
        guard var frame = current else { return }
        if isEnd, hasMarkers, !frame.last.marker { frame.isBroken = true }
        defer { dropPieces() }
        current = nil
        if frame.isBroken {
            counts.incompleteFrames += 1
            if reference == .whole { reference = .broken }
            return
        }
        if let counted = frame.part.picture { picture = counted }
        if frame.part.isKeyframe { reference = .whole }
        if reference == .none {
            counts.framesBeforeKeyframe += 1
            return
        }
        var payload: [UInt8] = []
        payload.reserveCapacity(heldBytes)
        for piece in pieces { payload += piece.bytes[piece.data] }
        frames.append(
            AssembledFrame(
                rtpTimestamp: frame.first.timestamp, isKeyframe: frame.part.isKeyframe, size: frame.part.size,
                followsLoss: reference == .broken, payload: payload, firstPacket: frame.first,
                lastPacket: frame.last))
    }

    private mutating func begin(_ packet: RTPPacket, _ part: VideoPart) {
        defer { current = Frame(first: packet, last: packet, part: part, isBroken: false) }
        guard hasGap else { return }
        hasGap = false
        // Where the sender counts frames and this is the very next one, only padding was lost.
        if !isNext(part), reference == .whole { reference = .broken }
    }

    /// Whether this is the frame after the last one given.
    func isNext(_ part: VideoPart) -> Bool {
        current == nil && picture != nil && picture?.following == part.picture?.number
    }

    private mutating func dropPieces() {
        pieces.removeAll(keepingCapacity: true)
        heldBytes = 0
    }
}
