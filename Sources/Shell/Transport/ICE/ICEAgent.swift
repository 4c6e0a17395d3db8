import CNice
import EventLoop
import Glibc
package import SDP

/// How ways to the peer are looked for.
package struct ICEConfiguration: Sendable {
    package var servers: [ICEServer] = []
    /// Only by way of TURN, so that the peer never learns our address.
    package var relayOnly = false
    /// Offer this machine's own addresses too: the peer or a server is on this machine.
    package var includesLoopback = false
    /// UDP ports to use; any when nil.
    package var ports: ClosedRange<UInt16>?
    /// The one who decides which way is taken: the offerer, or whoever speaks to an ICE-lite peer (RFC 8445 section 6.1.1).
    package var isControlling = false
    /// Ours; libnice makes some when nil.
    package var credentials: ICECredentials?

    package init() {}
}

/// Finds and keeps a way for datagrams to the peer (ICE, RFC 8445, with trickle, RFC 8838): the owner of a
/// libnice agent with one stream and one component. Used on its loop's thread only.
final class ICEAgent {
    enum Event: Equatable {
        /// A `candidate:` line for the peer.
        case localCandidate(String)
        case localCandidatesEnd
        /// Datagrams can be sent. Comes again when a better way is found.
        case connected
        /// No way is left, for now or for good: nothing answers, or has not for 50 s.
        case failed
    }

    private static let component: UInt32 = 1

    /// Remote candidates that were not tried: hidden by mDNS, not UDP, or unreadable.
    private(set) var skippedCandidates = 0
    /// Octets that the kernel keeps for us while the loop is busy; of the smallest socket, once candidates are gathered.
    private(set) var receiveBuffer = 0

    private let agent: OpaquePointer
    private let stream: UInt32
    private let callbacks = ICECallbacks()
    private let context: OpaquePointer
    private let includesLoopback: Bool
    private var isClosed = false

    /// Nothing is sent before `gather`.
    /// - Parameters:
    ///   - event: called on the loop, perhaps from within a call to this agent.
    ///   - datagram: called on the loop for each datagram that is not STUN; the octets may be changed and are gone afterwards.
    init(
        _ configuration: ICEConfiguration, loop: LoopExecutor, event: @escaping (Event) -> Void,
        datagram: @escaping (UnsafeMutableRawBufferPointer) -> Void
    ) {
        callbacks.event = event
        callbacks.datagram = datagram
        context = loop.mainContext
        includesLoopback = configuration.includesLoopback
        guard
            let agent = nice_agent_new_full(context, NICE_COMPATIBILITY_RFC5245, NICE_AGENT_OPTION_ICE_TRICKLE)
        else { preconditionFailure("GLib never returns without an object") }
        self.agent = agent
        cb_nice_set_boolean(agent, "upnp", 0)
        cb_nice_set_boolean(agent, "ice-tcp", 0)
        // A check every 5 s or so, and lost when none was answered for 50 s. libnice's option for consent makes that 10 s, in
        // which it sends one or two checks and repeats none: at a few percent of loss that ended every call within minutes.
        cb_nice_set_boolean(agent, "keepalive-conncheck", 1)
        cb_nice_set_boolean(agent, "controlling-mode", configuration.isControlling ? 1 : 0)
        cb_nice_set_boolean(agent, "force-relay", configuration.relayOnly ? 1 : 0)
        stream = nice_agent_add_stream(agent, 1)
        if let ports = configuration.ports {
            nice_agent_set_port_range(
                agent, stream, Self.component, UInt32(ports.lowerBound), UInt32(ports.upperBound))
        }
        if let ours = configuration.credentials {
            nice_agent_set_local_credentials(agent, stream, ours.usernameFragment, ours.password)
        }
        use(configuration.servers)
        listen()
    }

    deinit { close() }

    /// Ours, for the session description.
    var localCredentials: ICECredentials {
        var ufrag: UnsafeMutablePointer<CChar>?
        var password: UnsafeMutablePointer<CChar>?
        nice_agent_get_local_credentials(agent, stream, &ufrag, &password)
        defer {
            g_free(ufrag)
            g_free(password)
        }
        return ICECredentials(
            usernameFragment: ufrag.map { String(cString: $0) } ?? "",
            password: password.map { String(cString: $0) } ?? "")
    }

    /// Begins to look for candidates of ours. Host candidates may come from within this call.
    func gather() {
        if includesLoopback { addAllAddresses() }
        _ = nice_agent_gather_candidates(agent, stream)
        widenSockets()
    }

    /// The peer's, from its session description.
    func setRemote(_ credentials: ICECredentials) {
        nice_agent_set_remote_credentials(agent, stream, credentials.usernameFragment, credentials.password)
    }

    /// A candidate of the peer's: tried, or counted as skipped.
    func addRemoteCandidate(_ line: String) {
        guard let parsed = ICECandidateLine(line), parsed.isUsable,
            let candidate = nice_agent_parse_remote_candidate_sdp(agent, stream, "a=" + parsed.text)
        else { return skippedCandidates += 1 }
        let list = g_slist_prepend(nil, candidate)
        if nice_agent_set_remote_candidates(agent, stream, Self.component, list) < 1 { skippedCandidates += 1 }
        g_slist_free(list)
        nice_candidate_free(candidate)
    }

    /// The peer has no more candidates.
    func endRemoteCandidates() { nice_agent_peer_candidate_gathering_done(agent, stream) }

    /// Starts over with new credentials on the same sockets (RFC 8445 section 2.4).
    func restart() { nice_agent_restart_stream(agent, stream) }

    /// Says the candidates again that are there already: the peer has forgotten them at a restart.
    func repeatCandidates() {
        let candidates = nice_agent_get_local_candidates(agent, stream, Self.component)
        var node = candidates
        while let here = node {
            let candidate = cb_slist_data(here)?.assumingMemoryBound(to: NiceCandidate.self)
            if let line = localLine(agent, candidate) { callbacks.event?(.localCandidate(line)) }
            nice_candidate_free(candidate)
            node = cb_slist_next(here)
        }
        g_slist_free(candidates)
        callbacks.event?(.localCandidatesEnd)
    }

    /// Sends one datagram; dropped when there is no way, as a datagram may be.
    /// - Returns: whether it was sent.
    @discardableResult
    func send(_ datagram: [UInt8]) -> Bool {
        guard !isClosed else { return false }
        return datagram.withUnsafeBytes { octets in
            let octets = octets.assumingMemoryBound(to: CChar.self)
            return nice_agent_send(agent, stream, Self.component, UInt32(octets.count), octets.baseAddress)
                == Int32(octets.count)
        }
    }

    /// Says nothing more and gives up the relays; the sockets are closed when the loop has turned.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        callbacks.event = nil
        callbacks.datagram = nil
        nice_agent_attach_recv(agent, stream, Self.component, context, nil, nil)
        // We may be inside a callback of this agent: it goes when that has returned, and a TURN server has been told.
        nice_agent_close_async(agent, { object, _, _ in g_object_unref(object) }, nil)
    }

    // MARK: - Setting up

    private func use(_ servers: [ICEServer]) {
        for server in servers {
            switch server.kind {
            case .stun:
                // libnice asks one; the last wins.
                cb_nice_set_string(agent, "stun-server", server.host)
                cb_nice_set_uint(agent, "stun-server-port", UInt32(server.port))
            case .turn(let transport):
                let relay =
                    switch transport {
                    case .udp: NICE_RELAY_TYPE_TURN_UDP
                    case .tcp: NICE_RELAY_TYPE_TURN_TCP
                    case .tls: NICE_RELAY_TYPE_TURN_TLS
                    }
                nice_agent_set_relay_info(
                    agent, stream, Self.component, server.host, UInt32(server.port), server.username,
                    server.password, relay)
            }
        }
    }

    /// libnice leaves loopback out, unless it is told every address by name.
    private func addAllAddresses() {
        let addresses = nice_interfaces_get_local_ips(1)
        var node = addresses
        while let here = node {
            if let text = cb_list_data(here)?.assumingMemoryBound(to: CChar.self) {
                var address = NiceAddress()
                nice_address_init(&address)
                let isLinkLocal = String(cString: text).lowercased().hasPrefix("fe80")
                if !isLinkLocal, nice_address_set_from_string(&address, text) != 0 {
                    nice_agent_add_local_address(agent, &address)
                }
                g_free(text)
            }
            node = cb_list_next(here)
        }
        g_list_free(addresses)
    }

    /// A keyframe is a burst of hundreds of packets; the kernel's usual buffer holds 90.
    private func widenSockets() {
        guard let sockets = nice_agent_get_sockets(agent, stream, Self.component) else { return }
        defer { g_ptr_array_unref(sockets) }
        var smallest = Int32.max
        for index in 0..<cb_array_count(sockets) {
            guard let object = cb_array_element(sockets, index) else { continue }
            let descriptor = g_socket_get_fd(object.assumingMemoryBound(to: GSocket.self))
            var wanted: Int32 = 4 << 20
            var got: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            // The first needs a privilege and ignores the system's limit; the second gets as much as the limit allows.
            if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, length) != 0 {
                setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &wanted, length)
            }
            getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &got, &length)
            smallest = min(smallest, got)
        }
        if smallest != .max { receiveBuffer = Int(smallest) }
    }

    private func listen() {
        let found:
            @convention(c) (OpaquePointer?, UnsafeMutablePointer<NiceCandidate>?, UnsafeMutableRawPointer?) -> Void =
                { agent, candidate, raw in
                    guard let callbacks = ICECallbacks.from(raw), let line = localLine(agent, candidate) else { return }
                    callbacks.event?(.localCandidate(line))
                }
        let finished: @convention(c) (OpaquePointer?, UInt32, UnsafeMutableRawPointer?) -> Void = { _, _, raw in
            ICECallbacks.from(raw)?.event?(.localCandidatesEnd)
        }
        let changed: @convention(c) (OpaquePointer?, UInt32, UInt32, UInt32, UnsafeMutableRawPointer?) -> Void = {
            _, _, _, state, raw in
            switch NiceComponentState(state) {
            case NICE_COMPONENT_STATE_CONNECTED, NICE_COMPONENT_STATE_READY:
                ICECallbacks.from(raw)?.event?(.connected)
            case NICE_COMPONENT_STATE_FAILED: ICECallbacks.from(raw)?.event?(.failed)
            default: break
            }
        }
        connect("new-candidate-full", unsafeBitCast(found, to: GCallback.self))
        connect("candidate-gathering-done", unsafeBitCast(finished, to: GCallback.self))
        connect("component-state-changed", unsafeBitCast(changed, to: GCallback.self))
        nice_agent_attach_recv(
            agent, stream, Self.component, context,
            { _, _, _, length, octets, raw in
                guard let octets else { return }
                ICECallbacks.from(raw)?.datagram?(UnsafeMutableRawBufferPointer(start: octets, count: Int(length)))
            }, Unmanaged.passUnretained(callbacks).toOpaque())  // kept by the signals, until the agent is finalized
    }

    private func connect(_ signal: String, _ callback: GCallback) {
        g_signal_connect_data(
            UnsafeMutableRawPointer(agent), signal, callback, Unmanaged.passRetained(callbacks).toOpaque(),
            { raw, _ in if let raw { Unmanaged<ICECallbacks>.fromOpaque(raw).release() } }, GConnectFlags(rawValue: 0))
    }
}

/// What the C callbacks reach; kept by libnice's signals until the agent is finalized.
private final class ICECallbacks {
    var event: ((ICEAgent.Event) -> Void)?
    var datagram: ((UnsafeMutableRawBufferPointer) -> Void)?

    static func from(_ raw: UnsafeMutableRawPointer?) -> ICECallbacks? {
        raw.map { Unmanaged<ICECallbacks>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// A candidate of ours as a line for the peer. Nil for those that the peer finds by itself.
private func localLine(_ agent: OpaquePointer?, _ candidate: UnsafeMutablePointer<NiceCandidate>?) -> String? {
    guard let candidate, candidate.pointee.type != NICE_CANDIDATE_TYPE_PEER_REFLEXIVE,
        let text = nice_agent_generate_local_candidate_sdp(agent, candidate)
    else { return nil }
    defer { g_free(text) }
    let line = String(cString: text)
    return line.hasPrefix("a=") ? String(line.dropFirst(2)) : line
}
