import Composition
package import MediaEngines
package import MediaTypes
package import Rendering
package import RoomClient

/// All that was asked for a recording, by flags and by a recipe file: what to join, how to get there, when to end, where
/// it goes and what it shall look like.
package struct RecordRecipe: Hashable, Sendable {
    package var room: RoomAddress
    /// The name under which the bot is listed in the room.
    package var name = "Recorder"
    package var access = RoomAccess()
    package var chat = ChatChoice.sameRoom

    /// When the recording ends by itself; nil: never.
    package var duration: Duration?
    /// How long the room may be empty (nobody but the bot) before the recording ends; nil: for ever.
    package var emptyTimeout: Duration?
    /// How long published tracks may stay without any media from the start before the recording ends; nil: for ever.
    package var mediaTimeout: Duration? = .seconds(30)

    /// How long it is tried to come back into the room after a break of the connection.
    package var reconnecting = ReconnectChoice.asTheAppDoes

    /// The archive's folder, in which a folder for this recording is made; nil: the user's archive.
    package var archive: String?
    /// The exact folder for this recording, which must not exist yet; nil: one in the archive.
    package var output: String?
    /// Bytes of the disk that stay free: with fewer no recording begins, and one that runs ends.
    package var reserve = Self.usualReserve
    package static let usualReserve: Int64 = 32_000_000

    /// The recording to go on with; nil for a new one.
    package var resumes: ResumedRecording?

    package var network = NetworkChoice()
    /// The composite; nil: tracks only (it can be rendered later).
    package var composite: CompositeRecipe? = CompositeRecipe()
    /// Whether the composite is left for after the call, for somebody else to make: the recording only says what it is to be.
    package var isCompositeDeferred = false
    /// The composite that is made by who records.
    package var ownComposite: CompositeRecipe? { isCompositeDeferred ? nil : composite }

    package init(room: RoomAddress) { self.room = room }
}

/// How long it is tried to come back into the room.
package enum ReconnectChoice: Hashable, Sendable {
    /// As long as the app whose layout was chosen: 30 s for ARCall, else 20 min, after which Agora's give up.
    case asTheAppDoes
    case upTo(Duration)
    /// The first break is the end.
    case never
}

extension RecordRecipe {
    /// How long a break of the connection may last; nil when the first one is the end.
    package var reconnectWindow: Duration? {
        switch reconnecting {
        case .asTheAppDoes: layoutName == .arCall ? .seconds(30) : .seconds(20 * 60)
        case .upTo(let duration): duration
        case .never: nil
        }
    }

    private var layoutName: LayoutName? {
        if case .named(let name)? = composite?.layout.layout { name } else { nil }
    }
}

/// A recording that is to be gone on with.
package struct ResumedRecording: Hashable, Sendable {
    /// The recording's folder.
    package var folder: String
    /// How long it was to be when it was begun, and still is, unless another duration is asked for; nil: without end.
    package var plannedDuration: Duration?
    package init(folder: String, plannedDuration: Duration? = nil) {
        self.folder = folder
        self.plannedDuration = plannedDuration
    }
}

/// What opens the door.
package struct RoomAccess: Hashable, Sendable {
    /// The room's pin.
    package var pin: Secret?
    /// The server's token (stored or signed), sent with every request.
    package var token: Secret?
    /// The server's API secret, sent with every request.
    package var apiSecret: Secret?
    /// The room's own token, for rooms with a list of who may join ("allowed").
    package var roomToken: Secret?
    package init() {}
}

/// Which TextRoom is the call's chat.
package enum ChatChoice: Hashable, Sendable {
    /// The one with the room's id, if there is one.
    case sameRoom
    /// The one with this id; that it is not there is worth a warning.
    case room(String)
    case none
}

/// How the server and the media are reached.
package struct NetworkChoice: Hashable, Sendable {
    package struct STUNServer: Hashable, Sendable {
        package var host: String
        package var port: UInt16
        package init(host: String, port: UInt16) {
            self.host = host
            self.port = port
        }
    }
    package struct TURNServer: Hashable, Sendable {
        package var host: String
        package var port: UInt16
        package var relay: RoomClient.Configuration.Relay
        package var user: String
        package var password: Secret
        package init(host: String, port: UInt16, relay: RoomClient.Configuration.Relay, user: String, password: Secret)
        {
            self.host = host
            self.port = port
            self.relay = relay
            self.user = user
            self.password = password
        }
    }

    package var stunServers: [STUNServer] = []
    package var turnServers: [TURNServer] = []
    /// A file of certificates (PEM) trusted instead of the system's, for wss.
    package var certificateAuthorityFile: String?
    /// Whether any certificate of the server will do, for wss.
    package var acceptsAnyCertificate = false
    package init() {}
}

/// What the composite looks and sounds like.
package struct CompositeRecipe: Hashable, Sendable {
    /// In pixels; even numbers, 16 to 8192.
    package var size = PixelSize(width: 1280, height: 720)
    /// Pictures a second, 1 to 60.
    package var frameRate = 25
    /// Bits a second; nil: what suits size and frame rate.
    package var videoBitRate: Int?
    /// `vp8` or `vp9`.
    package var videoCodec = Codec.vp8
    /// Bits a second, 6000 to 510,000 (Opus).
    package var audioBitRate = 64_000
    package var layout = LayoutChoice()
    /// How long tiles take to glide to another place; nil for a cut.
    package var animation: Duration?
    /// Whether names are written on pictures.
    package var hasLabels = true
    /// Whether whoever speaks has a frame; nil for what suits the layout: the apps' have none.
    package var marksSpeakers: Bool?
    /// Whether muted microphones and cameras are shown on tiles.
    package var hasBadges = true
    /// Of tiles, in pixels, 0 to 200.
    package var cornerRadius = 0
    /// Whether the wall time is shown.
    package var hasClock = false
    /// Whether size and rate of each picture are written on it.
    package var hasStatistics = false
    /// What is behind and between the tiles; nil for the usual dark grey.
    package var background: Colour?
    /// Fills the canvas behind the tiles; nil for the colour alone.
    package var backgroundPicture: StillPicture?
    package init() {}
}
