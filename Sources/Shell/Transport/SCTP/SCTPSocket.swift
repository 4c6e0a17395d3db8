import CSCTP
import Glibc

// usrsctp's socket calls, as one association needs them. All are called inside `SCTPStack.enter`.

/// A socket that has begun to connect, with the options that WebRTC wants (RFC 8831 section 6). Nil when usrsctp refuses.
func connectedSocket(address: UnsafeMutableRawPointer?, localPort: UInt16, remotePort: UInt16) -> OpaquePointer? {
    let made = usrsctp_socket(
        AF_CONN, Int32(SOCK_STREAM.rawValue), Int32(IPPROTO_SCTP), receiveSCTP, nil, 0, address)
    guard let socket = made else { return nil }
    func set<Value>(_ option: Int32, _ value: Value, level: Int32 = Int32(IPPROTO_SCTP)) -> Bool {
        withUnsafeBytes(of: value) {
            usrsctp_setsockopt(socket, level, option, $0.baseAddress, socklen_t($0.count)) == 0
        }
    }
    func subscribe(_ event: Int32) -> Bool {
        set(SCTP_EVENT, sctp_event(se_assoc_id: sctp_assoc_t(SCTP_ALL_ASSOC), se_type: UInt16(event), se_on: 1))
    }
    var here = sockaddr_conn(sconn_family: UInt16(AF_CONN), sconn_port: localPort.bigEndian, sconn_addr: address)
    var there = sockaddr_conn(sconn_family: UInt16(AF_CONN), sconn_port: remotePort.bigEndian, sconn_addr: address)
    let isSet =
        usrsctp_set_non_blocking(socket, 1) == 0
        // Closing ends the association at once; nothing lingers in usrsctp after the connection is gone.
        && set(SO_LINGER, linger(l_onoff: 1, l_linger: 0), level: SOL_SOCKET)
        && set(SCTP_NODELAY, UInt32(1))
        && set(
            SCTP_INITMSG,
            sctp_initmsg(
                sinit_num_ostreams: UInt16(DataChannelTable.maximumChannels),
                sinit_max_instreams: UInt16(DataChannelTable.maximumChannels), sinit_max_attempts: 0,
                sinit_max_init_timeo: 0))
        && set(
            SCTP_ENABLE_STREAM_RESET,
            sctp_assoc_value(
                assoc_id: sctp_assoc_t(SCTP_ALL_ASSOC), assoc_value: UInt32(SCTP_ENABLE_RESET_STREAM_REQ)))
        && subscribe(SCTP_ASSOC_CHANGE) && subscribe(SCTP_STREAM_RESET_EVENT)
        && bound(socket, to: &here)
    guard isSet, connects(socket, to: &there), set(SCTP_PEER_ADDR_PARAMS, pathParameters(to: there)) else {
        usrsctp_close(socket)
        return nil
    }
    return socket
}

enum Transmission { case accepted, busy, refused }

/// Sends one whole message, ordered and reliable.
func transmit(_ octets: [UInt8], stream: UInt16, payload: DataChannelPayload, on socket: OpaquePointer) -> Transmission
{
    var details = sctp_sndinfo()
    details.snd_sid = stream
    details.snd_flags = UInt16(SCTP_EOR)
    details.snd_ppid = payload.rawValue.bigEndian
    let length = socklen_t(MemoryLayout<sctp_sndinfo>.size)
    let sent = usrsctp_sendv(
        socket, octets, octets.count, nil, 0, &details, length, UInt32(SCTP_SENDV_SNDINFO), 0)
    if sent >= 0 { return .accepted }
    return errno == EAGAIN || errno == EWOULDBLOCK ? .busy : .refused
}

/// Closes our half of a data channel (RFC 6525 by way of RFC 6458). A refusal changes nothing: the peer has closed its own.
func resetOutgoing(stream: UInt16, of socket: OpaquePointer) {
    // A sctp_reset_streams and its list, which has no length in C.
    let header = MemoryLayout<sctp_reset_streams>.size
    withUnsafeTemporaryAllocation(byteCount: header + 2, alignment: MemoryLayout<sctp_reset_streams>.alignment) {
        var request = sctp_reset_streams()
        request.srs_assoc_id = sctp_assoc_t(SCTP_ALL_ASSOC)
        request.srs_flags = UInt16(SCTP_STREAM_RESET_OUTGOING)
        request.srs_number_streams = 1
        $0.storeBytes(of: request, as: sctp_reset_streams.self)
        $0.storeBytes(of: stream, toByteOffset: header, as: UInt16.self)
        usrsctp_setsockopt(socket, Int32(IPPROTO_SCTP), SCTP_RESET_STREAMS, $0.baseAddress, socklen_t($0.count))
    }
}

private func bound(_ socket: OpaquePointer, to address: inout sockaddr_conn) -> Bool {
    let length = socklen_t(MemoryLayout<sockaddr_conn>.size)
    return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { usrsctp_bind(socket, $0, length) == 0 }
    }
}

private func connects(_ socket: OpaquePointer, to address: inout sockaddr_conn) -> Bool {
    let length = socklen_t(MemoryLayout<sockaddr_conn>.size)
    return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            usrsctp_connect(socket, $0, length) == 0 || errno == EINPROGRESS
        }
    }
}

/// A path without discovery of its MTU: DTLS and the datagram limit say what fits. usrsctp does not count its own common
/// header of 12 octets.
private func pathParameters(to address: sockaddr_conn) -> sctp_paddrparams {
    var parameters = sctp_paddrparams()
    withUnsafeMutableBytes(of: &parameters.spp_address) { $0.storeBytes(of: address, as: sockaddr_conn.self) }
    parameters.spp_flags = UInt32(SPP_PMTUD_DISABLE)
    parameters.spp_pathmtu = UInt32(DTLSSession.maximumDatagram - DTLSSession.recordOverhead - 12)
    return parameters
}
