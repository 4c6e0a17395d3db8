import CSCTP
import EventLoop
import Glibc
package import MediaTypes

/// One SCTP association over DTLS (RFC 8261) with its data channels, as a machine on packets: what comes out of DTLS goes in,
/// what comes out goes into DTLS. Used on one thread.
package final class SCTPAssociation {
    package enum Output: Equatable {
        /// To be sent inside DTLS.
        case packet([UInt8])
        /// Both sides have it: one that we asked for, or one that the peer opened.
        case channelOpened(DataChannel)
        case message(DataChannel, [UInt8], isText: Bool)
        case channelClosed(DataChannel)
        /// The association is gone (shut down, aborted, or without answer for too long). Nothing more comes.
        case closed
    }

    private enum State {
        /// Shaking hands, since `connect`. Next: up or closed.
        case connecting
        /// Messages flow. Next: closed.
        case up
        case closed
    }

    /// What could not be used.
    package struct Counts: Equatable, Sendable {
        /// Longer than allowed.
        package var oversizedMessages = 0
        /// On no channel, of no known kind, or malformed.
        package var strayMessages = 0
        /// Not sent, because too much was waiting already.
        package var unsentMessages = 0
    }

    /// Octets of the longest message that is kept, and what we announce as `max-message-size` (RFC 8841 section 6).
    package static let maximumMessage = 256 * 1024
    private static let maximumWaiting = 1 << 20

    package var counts: Counts {
        Counts(
            oversizedMessages: reassembly.oversizedMessages, strayMessages: channels.strayMessages,
            unsentMessages: unsentMessages)
    }

    private var state = State.connecting
    private let mailbox = SCTPMailbox()
    private let address: UnsafeMutableRawPointer?
    private var socket: OpaquePointer?
    private var channels: DataChannelTable
    private var reassembly = MessageReassembly(limit: SCTPAssociation.maximumMessage)
    private var waiting: [(stream: UInt16, payload: DataChannelPayload, octets: [UInt8])] = []
    private var waitingOctets = 0
    private var unsentMessages = 0
    private var outputs = OutputQueue<Output>()

    /// Begins to connect; the first packet is waiting to be sent when this returns.
    /// - Parameters:
    ///   - isDTLSClient: which decides who opens even streams.
    ///   - localPort: `sctp-port` of our description (RFC 8841 section 5).
    ///   - remotePort: `sctp-port` of the peer's.
    package init(isDTLSClient: Bool, localPort: UInt16 = 5000, remotePort: UInt16 = 5000, at now: MonotonicTime) {
        channels = DataChannelTable(isDTLSClient: isDTLSClient)
        address = SCTPStack.register(mailbox)
        SCTPStack.advance(to: now)
        nextDeadline = now + SCTPStack.tick
        let address = address
        socket = SCTPStack.enter { connectedSocket(address: address, localPort: localPort, remotePort: remotePort) }
        if socket == nil { finish() }
        collect()
    }

    deinit { close() }

    /// When `wake` wants to be called.
    package private(set) var nextDeadline: MonotonicTime?

    package func nextOutput() -> Output? { outputs.next() }

    /// Takes one packet from the peer. usrsctp drops what is malformed or is not for this association.
    package func handle(_ packet: [UInt8], at now: MonotonicTime) {
        guard socket != nil else { return }
        SCTPStack.advance(to: now)
        SCTPStack.enter { usrsctp_conninput(address, packet, packet.count, 0) }
        collect()
    }

    /// Lets the timers run.
    package func wake(at now: MonotonicTime) {
        guard socket != nil else { return }
        SCTPStack.advance(to: now)
        nextDeadline = now + SCTPStack.tick
        collect()
    }

    /// Asks the peer for a channel, ordered and reliable; also before the association is up. Nil when there are too many, or the association is gone.
    package func open(label: String) -> DataChannel? {
        guard socket != nil else { return nil }
        let channel = channels.open(label: label)
        perform()
        return channel
    }

    /// The channel of that label, if there is one.
    package func channel(labelled label: String) -> DataChannel? { channels.channel(labelled: label) }

    /// Sends a message on a channel; nothing happens when it is closed.
    package func send(_ message: [UInt8], on channel: DataChannel, isText: Bool) {
        guard socket != nil else { return }
        channels.send(message, on: channel, isText: isText)
        perform()
    }

    /// Ends the association at once (ABORT). The last packet is waiting to be sent when this returns.
    package func close() {
        guard let socket else { return }
        SCTPStack.enter { usrsctp_close(socket) }
        self.socket = nil
        for packet in takeMail().packets { outputs.append(.packet(packet)) }
        SCTPStack.deregister(address)
        state = .closed
        nextDeadline = nil
    }

    // MARK: - From usrsctp

    private func takeMail() -> (packets: [[UInt8]], arrivals: [SCTPMailbox.Arrival]) {
        SCTPStack.enter {
            defer {
                mailbox.packets.removeAll(keepingCapacity: true)
                mailbox.arrivals.removeAll(keepingCapacity: true)
            }
            return (mailbox.packets, mailbox.arrivals)
        }
    }

    /// Empties the mailbox, and does what follows from it, until nothing more follows.
    private func collect() {
        while true {
            let mail = takeMail()
            for packet in mail.packets { outputs.append(.packet(packet)) }
            if mail.arrivals.isEmpty { break }
            for arrival in mail.arrivals {
                switch arrival {
                case .part(let stream, let payload, let octets, let isLast):
                    guard let message = reassembly.take(octets, stream: stream, isLast: isLast) else { continue }
                    channels.receive(message, stream: stream, payload: payload)
                case .notification(let notification): take(notification)
                }
            }
            runChannels()
        }
        sendWaiting()
    }

    /// RFC 6458 section 6.1. Numbers are in host order.
    private func take(_ notification: [UInt8]) {
        func number(at offset: Int) -> UInt16? {
            guard offset + 2 <= notification.count else { return nil }
            return notification.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
        }
        switch Int32(number(at: 0) ?? 0) {
        case SCTP_ASSOC_CHANGE:
            switch Int32(number(at: 8) ?? 0) {
            case SCTP_COMM_UP: state = .up
            case SCTP_RESTART:
                reassembly.forgetAll()
                channels.disconnect()
            case SCTP_COMM_LOST, SCTP_SHUTDOWN_COMP, SCTP_CANT_STR_ASSOC: finish()
            default: break
            }
        case SCTP_STREAM_RESET_EVENT:
            guard Int32(number(at: 2) ?? 0) & SCTP_STREAM_RESET_INCOMING_SSN != 0 else { return }
            let streams = stride(from: 12, to: notification.count, by: 2).compactMap(number)
            reassembly.forget(streams: streams)
            channels.peerReset(streams: streams)
        default: break
        }
    }

    private func finish() {
        if case .closed = state { return }
        state = .closed
        channels.disconnect()
        runChannels()
        outputs.append(.closed)
        nextDeadline = nil
    }

    // MARK: - To usrsctp

    /// Does what the channels want, and passes on what comes of it.
    private func perform() {
        runChannels()
        sendWaiting()
        for packet in takeMail().packets { outputs.append(.packet(packet)) }
    }

    private func runChannels() {
        while let output = channels.nextOutput() {
            switch output {
            case .send(let stream, let payload, let octets):
                guard waitingOctets + octets.count <= Self.maximumWaiting else {
                    unsentMessages += 1
                    continue
                }
                waiting.append((stream, payload, octets))
                waitingOctets += octets.count
            case .reset(let stream):
                if let socket { SCTPStack.enter { resetOutgoing(stream: stream, of: socket) } }
            case .opened(let channel): outputs.append(.channelOpened(channel))
            case .message(let channel, let octets, let isText):
                outputs.append(.message(channel, octets, isText: isText))
            case .closed(let channel): outputs.append(.channelClosed(channel))
            }
        }
    }

    /// Hands on what waits, as far as usrsctp's buffer takes it; the rest waits for the next acknowledgement.
    private func sendWaiting() {
        guard case .up = state, let socket, !waiting.isEmpty else { return }
        var sent = 0
        for message in waiting {
            let outcome = SCTPStack.enter {
                transmit(message.octets, stream: message.stream, payload: message.payload, on: socket)
            }
            if outcome == .busy { break }
            if outcome == .refused { unsentMessages += 1 }
            waitingOctets -= message.octets.count
            sent += 1
        }
        waiting.removeFirst(sent)
        for packet in takeMail().packets { outputs.append(.packet(packet)) }
    }
}
