import JSON
import MediaTypes
import SDP

/// The one subscription that carries all media: what is held, what is still to be asked for, and which tracks flow.
///
/// One request is under way at a time. What is wanted meanwhile is collected; so is what is wanted while an offer is
/// unanswered, since Janus does not answer updates then.
struct JanusSubscription {
    enum State: Hashable {
        /// Nothing could be subscribed to yet. Next: attaching.
        case idle
        /// A handle was asked for. Next: unjoined.
        case attaching
        /// There is a handle that subscribes to nothing. Next: requesting.
        case unjoined(handle: UInt64)
        /// A join or an update is under way; `isJoined` tells which. Next: answering, settled, or (refused) unjoined.
        case requesting(handle: UInt64, isJoined: Bool)
        /// An offer was handed over and is not answered yet. Next: settled.
        case answering(handle: UInt64)
        /// All is answered. Next: requesting, or answering when an offer comes unasked.
        case settled(handle: UInt64)

        var handle: UInt64? {
            switch self {
            case .idle, .attaching: nil
            case .unjoined(let handle), .requesting(let handle, _), .answering(let handle), .settled(let handle): handle
            }
        }
    }

    /// Something to be asked for.
    enum Change: Hashable {
        case subscribe(FeedStream)
        case unsubscribe(FeedStream)

        var stream: FeedStream {
            switch self {
            case .subscribe(let stream), .unsubscribe(let stream): stream
            }
        }
    }

    struct Track {
        var id: TrackID
        var stream: FeedStream
        /// A new SSRC is a new track.
        var ssrc: UInt32?
        var spatialLayer: Int?
        var temporalLayer: Int?
    }

    var state = State.idle
    /// The media's connection stands. Before, Janus is made to wait: what it sends until it has had our first report it can
    /// never repeat.
    var isConnected = false
    /// What is subscribed to or will be: never asked for twice.
    private(set) var held: Set<FeedStream> = []
    private(set) var pending: [Change] = []
    /// What the request under way is about.
    private(set) var underWay: [Change] = []
    /// How many of the next requests are for one feed each, after one for several was refused.
    private var singleRequests = 0
    /// By the subscriber's mids.
    var tracks: [MediaSectionID: Track] = [:]
    private var lastTrack: Int

    init(firstTrack: Int = 1) { lastTrack = firstTrack - 1 }

    mutating func subscribe(to stream: FeedStream) {
        if held.insert(stream).inserted { pending.append(.subscribe(stream)) }
    }

    /// Takes one back that its publisher still has a section for.
    mutating func unsubscribe(from stream: FeedStream) {
        guard held.remove(stream) != nil else { return }
        if let index = pending.firstIndex(of: .subscribe(stream)) {
            pending.remove(at: index)
        } else {
            pending.append(.unsubscribe(stream))
        }
    }

    /// Forgets one that the server has taken back by itself.
    mutating func forget(_ stream: FeedStream) {
        held.remove(stream)
        pending.removeAll { $0.stream == stream }
    }

    /// Takes the changes for the next request: as many as go together. One stream is in a request only once.
    mutating func beginRequest() -> [Change] {
        var streams: Set<FeedStream> = []
        let fitting = pending.prefix { change in
            (singleRequests == 0 || change.stream.feed == pending[0].stream.feed)
                && streams.insert(change.stream).inserted
        }
        if singleRequests > 0 { singleRequests -= 1 }
        underWay = Array(fitting)
        pending.removeFirst(underWay.count)
        return underWay
    }

    mutating func requestSucceeded() { underWay = [] }

    /// After a refusal: one bad feed spoils a request for many, so they are asked for one by one. Returns what is given up.
    mutating func requestFailed() -> [FeedStream] {
        let failed = underWay
        underWay = []
        let feeds = Set(failed.map(\.stream.feed))
        if feeds.count > 1 {
            singleRequests += feeds.count
            // Grouped by feed, so that each of the next requests is for one feed.
            let order = failed.map(\.stream.feed)
            var grouped: [Change] = []
            for feed in order where !grouped.contains(where: { $0.stream.feed == feed }) {
                grouped += failed.filter { $0.stream.feed == feed && isStillMeant($0) }
            }
            pending = grouped + pending
            return []
        }
        let lost = failed.filter { if case .subscribe = $0 { held.contains($0.stream) } else { false } }.map(\.stream)
        held.subtract(lost)
        return lost
    }

    private func isStillMeant(_ change: Change) -> Bool {
        if case .subscribe(let stream) = change { held.contains(stream) } else { true }
    }

    mutating func nextTrackID() -> TrackID {
        lastTrack += 1
        return TrackID(lastTrack)
    }
}
