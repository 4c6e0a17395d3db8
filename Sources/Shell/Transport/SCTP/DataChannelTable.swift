import MediaTypes

/// The data channels of one SCTP association: who opens which stream, and what a message on it means (RFC 8831, RFC 8832).
/// Knows nothing of SCTP itself: it takes messages and says which to send.
struct DataChannelTable {
    enum Output: Equatable {
        case send(stream: UInt16, DataChannelPayload, [UInt8])
        /// Our half of the channel is to be closed: reset the outgoing stream (RFC 8831 section 6.7).
        case reset(stream: UInt16)
        case opened(DataChannel)
        case message(DataChannel, [UInt8], isText: Bool)
        case closed(DataChannel)
    }

    private enum State {
        /// We asked for it, and have heard nothing of it yet. Next: open.
        case opening
        /// Either side may send.
        case open
    }

    private struct Entry {
        let channel: DataChannel
        var state: State
    }

    /// More channels than these are refused, so that a peer cannot fill the memory.
    static let maximumChannels = 1024

    /// Messages that made no sense: on no channel, of no known kind, malformed.
    private(set) var strayMessages = 0

    private var entries: [UInt16: Entry] = [:]
    private var nextStream: UInt16
    private var outputs = OutputQueue<Output>()

    /// - Parameter isDTLSClient: the DTLS client opens even streams, the server odd ones (RFC 8832 section 6).
    init(isDTLSClient: Bool) { nextStream = isDTLSClient ? 0 : 1 }

    mutating func nextOutput() -> Output? { outputs.next() }

    /// Asks for a channel, ordered and reliable. It may be written to at once; the peer has it when `opened` comes.
    mutating func open(label: String) -> DataChannel? {
        while entries[nextStream] != nil, nextStream < Self.maximumChannels { nextStream += 2 }
        guard nextStream < Self.maximumChannels else { return nil }
        let channel = DataChannel(stream: nextStream, label: label)
        nextStream += 2
        entries[channel.stream] = Entry(channel: channel, state: .opening)
        let open = DCEPMessage.open(label: label, subprotocol: "")
        outputs.append(.send(stream: channel.stream, .control, open.octets))
        return channel
    }

    /// The channel of that label which was opened first, if there is one.
    func channel(labelled label: String) -> DataChannel? {
        entries.values.map(\.channel).filter { $0.label == label }.min { $0.stream < $1.stream }
    }

    /// The association is gone, and every channel with it.
    mutating func disconnect() {
        for stream in entries.keys.sorted() { remove(stream) }
    }

    /// Takes a whole message.
    mutating func receive(_ message: [UInt8], stream: UInt16, payload: UInt32) {
        guard let payload = DataChannelPayload(rawValue: payload) else { return strayMessages += 1 }
        switch payload {
        case .control: receiveControl(message, stream: stream)
        case .text: deliver(message, stream: stream, isText: true)
        case .binary: deliver(message, stream: stream, isText: false)
        // SCTP cannot send nothing; one octet stands for it.
        case .emptyText: deliver([], stream: stream, isText: true)
        case .emptyBinary: deliver([], stream: stream, isText: false)
        }
    }

    /// The peer closed its half of these channels.
    mutating func peerReset(streams: [UInt16]) {
        for stream in streams where entries[stream] != nil {
            outputs.append(.reset(stream: stream))
            remove(stream)
        }
    }

    mutating func send(_ message: [UInt8], on channel: DataChannel, isText: Bool) {
        guard entries[channel.stream]?.channel == channel else { return }
        if message.isEmpty {
            outputs.append(.send(stream: channel.stream, isText ? .emptyText : .emptyBinary, [0]))
        } else {
            outputs.append(.send(stream: channel.stream, isText ? .text : .binary, message))
        }
    }

    private mutating func receiveControl(_ message: [UInt8], stream: UInt16) {
        switch DCEPMessage(message) {
        case .open(let label, _):
            guard entries[stream] == nil, entries.count < Self.maximumChannels else { return strayMessages += 1 }
            let channel = DataChannel(stream: stream, label: label)
            entries[stream] = Entry(channel: channel, state: .open)
            outputs.append(.send(stream: stream, .control, DCEPMessage.acknowledge.octets))
            outputs.append(.opened(channel))
        case .acknowledge: confirm(stream)
        case nil: strayMessages += 1
        }
    }

    private mutating func deliver(_ message: [UInt8], stream: UInt16, isText: Bool) {
        // A message on a channel that we asked for says that the peer has it, even before its acknowledgement.
        confirm(stream)
        guard let entry = entries[stream] else { return strayMessages += 1 }
        outputs.append(.message(entry.channel, message, isText: isText))
    }

    private mutating func confirm(_ stream: UInt16) {
        guard let entry = entries[stream], case .opening = entry.state else { return }
        entries[stream]?.state = .open
        outputs.append(.opened(entry.channel))
    }

    private mutating func remove(_ stream: UInt16) {
        guard let entry = entries.removeValue(forKey: stream) else { return }
        outputs.append(.closed(entry.channel))
    }
}
