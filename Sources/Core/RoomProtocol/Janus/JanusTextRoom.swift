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
    /// The bot's name in the chat, which must be nobody else's.
    let username: String
    /// Display names by user names.
    var names: [String: String] = [:]

    init(suffix: UInt32) { username = "callbot-" + String(suffix, radix: 36) }

    var handle: UInt64? { state.handle }

    /// Whether a peer connection was made for it.
    var hasPeer: Bool {
        switch state {
        case .idle, .attaching, .settingUp, .closed: false
        case .answering, .connecting, .opening, .joining, .joined: true
        }
    }
}
