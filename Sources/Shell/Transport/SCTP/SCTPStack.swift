import CSCTP
import EventLoop
import Glibc
import MediaTypes

/// What usrsctp calls back with, for one association. Touched only inside `SCTPStack.enter`.
final class SCTPMailbox {
    enum Arrival {
        case part(stream: UInt16, payload: UInt32, octets: [UInt8], isLast: Bool)
        case notification([UInt8])
    }

    var packets: [[UInt8]] = []
    var arrivals: [Arrival] = []
}

/// usrsctp's state, of which a process has one: the library without threads of its own, fed and woken by hand. Its callbacks
/// run inside calls into it and only fill mailboxes, so that every association stays a machine on octets. Associations may
/// live on several threads: who is inside holds the lock.
enum SCTPStack {
    private struct Shared {
        var isReady = false
        var lastNumber: UInt = 0
        var lastTick: MonotonicTime?
    }

    /// How often usrsctp's timers are looked at. They are coarse: the shortest is the delayed acknowledgement's 200 ms.
    static let tick = Duration.milliseconds(20)

    private static let shared = Locked(Shared())
    // Reached from callbacks while `shared` is locked by whoever called into usrsctp, and from nowhere else.
    fileprivate nonisolated(unsafe) static var mailboxes: [UInt: SCTPMailbox] = [:]

    /// Makes an address for a new association. usrsctp hands it back to our callbacks as a pointer; it is a number, so that a
    /// late callback for an association that is gone finds nothing and does no harm.
    static func register(_ mailbox: SCTPMailbox) -> UnsafeMutableRawPointer? {
        shared.withLock { shared in
            if !shared.isReady {
                shared.isReady = true
                start()
            }
            shared.lastNumber += 1
            mailboxes[shared.lastNumber] = mailbox
            let address = UnsafeMutableRawPointer(bitPattern: shared.lastNumber)
            usrsctp_register_address(address)
            return address
        }
    }

    static func deregister(_ address: UnsafeMutableRawPointer?) {
        shared.withLock { _ in
            usrsctp_deregister_address(address)
            mailboxes[UInt(bitPattern: address)] = nil
        }
    }

    /// Runs `body`, which calls into usrsctp, alone in the process.
    static func enter<Result>(_ body: () -> Result) -> Result {
        shared.withLock { _ in body() }
    }

    /// Tells usrsctp what time it is, on behalf of all associations.
    static func advance(to now: MonotonicTime) {
        shared.withLock { shared in
            guard let last = shared.lastTick, last <= now else { return shared.lastTick = now }
            let milliseconds = (now - last).nanoseconds / 1_000_000
            guard milliseconds > 0 else { return }
            shared.lastTick = last + .milliseconds(milliseconds)
            usrsctp_handle_timers(UInt32(clamping: milliseconds))
        }
    }

    private static func start() {
        usrsctp_init_nothreads(0, sendPacket, nil)
        // What WebRTC does not use (RFC 8831 section 5): other addresses, congestion marks in IP, chunk authentication.
        usrsctp_sysctl_set_sctp_asconf_enable(0)
        usrsctp_sysctl_set_sctp_auto_asconf(0)
        usrsctp_sysctl_set_sctp_ecn_enable(0)
        usrsctp_sysctl_set_sctp_auth_enable(0)
        usrsctp_sysctl_set_sctp_blackhole(2)  // no answer to what belongs to no association
        usrsctp_sysctl_set_sctp_recvspace(1 << 20)
        usrsctp_sysctl_set_sctp_sendspace(1 << 19)
        // Milliseconds. RFC 9260 means oceans of routers; a chat message that is lost should not wait a second, and after a
        // break of the network nobody should wait a minute for the next try.
        usrsctp_sysctl_set_sctp_rto_initial_default(500)
        usrsctp_sysctl_set_sctp_rto_min_default(300)
        usrsctp_sysctl_set_sctp_rto_max_default(10_000)
    }
}

/// `conn_output`: a packet to be sent.
private func sendPacket(
    _ address: UnsafeMutableRawPointer?, _ packet: UnsafeMutableRawPointer?, _ length: Int, _: UInt8, _: UInt8
) -> Int32 {
    guard let packet, length > 0 else { return 0 }
    let octets = UnsafeRawBufferPointer(start: packet, count: length)
    SCTPStack.mailboxes[UInt(bitPattern: address)]?.packets.append(Array(octets))
    return 0
}

/// `receive_cb`: a message, a part of one, or a notification. The octets are ours to free.
func receiveSCTP(
    _: OpaquePointer?, _: sctp_sockstore, _ data: UnsafeMutableRawPointer?, _ length: Int, _ details: sctp_rcvinfo,
    _ flags: Int32, _ address: UnsafeMutableRawPointer?
) -> Int32 {
    guard let data else { return 1 }
    defer { free(data) }
    guard let mailbox = SCTPStack.mailboxes[UInt(bitPattern: address)] else { return 1 }
    let octets = Array(UnsafeRawBufferPointer(start: data, count: length))
    if flags & Int32(MSG_NOTIFICATION) != 0 {
        mailbox.arrivals.append(.notification(octets))
    } else {
        let isLast = flags & Int32(MSG_EOR) != 0
        mailbox.arrivals.append(
            .part(stream: details.rcv_sid, payload: details.rcv_ppid.bigEndian, octets: octets, isLast: isLast))
    }
    return 1
}
