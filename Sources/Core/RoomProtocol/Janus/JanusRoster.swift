import JSON
import MediaTypes

/// One stream of a publisher, in the publisher's own numbering: what can be subscribed to.
struct FeedStream: Hashable {
    var feed: ParticipantID
    var mid: MediaSectionID
}

/// Who is in the room besides the bot, and what they publish, as the room has told so far.
struct JanusRoster {
    struct Stream: Hashable {
        enum Content: Hashable {
            case media(MediaKind, codec: String)
            case data
        }
        var content: Content
        var description: String

        var kind: MediaKind? { if case .media(let kind, _) = content { kind } else { nil } }
        var codec: Codec? {
            if case .media(_, let codec) = content { Codec(rawValue: codec.lowercased()) } else { nil }
        }
    }

    struct Entry {
        /// The id as the server writes it, for requests.
        var id: JSONValue
        var name: String
        /// By the publisher's mids, in the order in which they were published.
        var streams: [(mid: MediaSectionID, stream: Stream)] = []
        /// The mids on which there is speech now.
        var talking: Set<MediaSectionID> = []
        /// When all was unpublished; nil while something is published.
        var unpublishedAt: MonotonicTime?

        func stream(_ mid: MediaSectionID) -> Stream? { streams.first { $0.mid == mid }?.stream }
    }

    private(set) var entries: [ParticipantID: Entry] = [:]
    /// The bot itself, once it is in.
    var own: ParticipantID?

    subscript(id: ParticipantID) -> Entry? {
        get { entries[id] }
        set { entries[id] = newValue }
    }

    func stream(_ stream: FeedStream) -> Stream? { entries[stream.feed]?.stream(stream.mid) }

    /// Somebody that a message is about; nil for the bot itself and for what is no id.
    func somebody(_ id: JSONValue?) -> ParticipantID? {
        guard let id = id?.janusID.map(ParticipantID.init), id != own else { return nil }
        return id
    }

    /// The streams of a publisher in a `publishers` list, without the disabled ones and those that cannot be understood.
    static func streams(of publisher: JSONValue) -> [(mid: MediaSectionID, stream: Stream)] {
        var seen: Set<String> = []
        return (publisher["streams"]?.array ?? []).compactMap { stream in
            guard let mid = stream["mid"]?.string, stream["disabled"]?.bool != true, seen.insert(mid).inserted else {
                return nil
            }
            let content: Stream.Content
            switch stream["type"]?.string {
            case "audio": content = .media(.audio, codec: stream["codec"]?.string ?? "")
            case "video": content = .media(.video, codec: stream["codec"]?.string ?? "")
            case "data": content = .data
            default: return nil
            }
            return (MediaSectionID(mid), Stream(content: content, description: stream["description"]?.string ?? ""))
        }
    }

    /// Where a track comes from. Janus does not know; people and programs say it in the description, often a moment after
    /// publishing. Without one, the second picture or sound of somebody is taken for a shared screen.
    func source(of stream: FeedStream) -> TrackSource {
        guard let entry = entries[stream.feed], let published = entry.stream(stream.mid), let kind = published.kind
        else {
            return .unknown
        }
        let description = published.description.lowercased()
        let saysScreen = ["screen", "desktop", "window", "presentation"].contains { description.contains($0) }
        let isFirst = entry.streams.first { $0.stream.kind == kind }?.mid == stream.mid
        let isScreen = saysScreen || (description.isEmpty && !isFirst)
        return switch kind {
        case .audio: isScreen ? .screenShareAudio : .microphone
        case .video: isScreen ? .screenShare : .camera
        }
    }
}
