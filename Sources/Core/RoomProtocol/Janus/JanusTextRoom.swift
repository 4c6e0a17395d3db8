import MediaTypes

/// Where the chat stands. All of its states can be followed by closed, which is no error: a room need have no chat.
struct JanusTextRoom {
    enum State: Hashable {
        /// There is no chat, or not yet. Next: attaching.
        case idle
        /// Next: settingUp.
        case attaching
        /// An offer was asked for. Next: answering.
        case settingUp(handle: UInt64)
        /// Next: connecting.
        case answering(handle: UInt64)
        /// The offer is answered; a channel opens when the peer connection stands. Next: opening.
        case connecting(handle: UInt64)
        /// Next: joining.
        case opening(handle: UInt64)
        /// The join is sent. What is said before the bot's own coming is history. Next: joined.
        case joining(handle: UInt64, hasEntered: Bool)
        case joined(handle: UInt64)
        case closed

        var handle: UInt64? {
            switch self {
            case .idle, .attaching, .closed: nil
            case .settingUp(let handle), .answering(let handle), .connecting(let handle), .opening(let handle),
                .joining(let handle, _), .joined(let handle):
                handle
            }
        }
    }

    /// As janus.js calls it; the server takes any.
    static let channelLabel = "JanusDataChannel"
    /// The largest message that is taken, in bytes.
    static let maximumMessageSize = 65536
    static let joinTransaction = "join"

    var state = State.idle
    /// By when the chat must be joined.
    var deadline: MonotonicTime?
    /// The bot's name in the chat, which must be nobody else's: not its own of before, either, which the server may still
    /// have for there.
    private(set) var username: String
    /// Display names by user names.
    var names: [String: String] = [:]
    /// Whether the chat has ever been joined.
    var hasBeenJoined = false
    /// How often its connection was lost, or not made again, since it last stood.
    private(set) var losses = 0
    /// When it is tried again.
    var nextAttempt: MonotonicTime?
    private var suffix: UInt32

    private static let firstPause = Duration.seconds(1)
    private static let mostDoublings = 5

    init(suffix: UInt32) {
        self.suffix = suffix
        username = Self.username(suffix)
    }

    private static func username(_ suffix: UInt32) -> String { "callbot-" + String(suffix, radix: 36) }

    /// The connection is lost. A chat that was there is tried again, less and less often.
    mutating func lose(at now: MonotonicTime) {
        guard hasBeenJoined else { return }
        nextAttempt = now + Self.firstPause * (1 << min(losses, Self.mostDoublings))
        losses += 1
    }

    /// Begins another attempt.
    mutating func attemptAgain() {
        suffix &+= 1
        username = Self.username(suffix)
        nextAttempt = nil
        state = .attaching
    }

    mutating func joined(handle: UInt64) {
        state = .joined(handle: handle)
        deadline = nil
        hasBeenJoined = true
        losses = 0
    }

    var handle: UInt64? { state.handle }

    /// Whether a peer connection was made for it.
    var hasPeer: Bool {
        switch state {
        case .idle, .attaching, .settingUp, .closed: false
        case .answering, .connecting, .opening, .joining, .joined: true
        }
    }
}
