// What a datagram on the shared port is, whatever it is.
import RTP

func fuzz(_ bytes: [UInt8]) {
    let kind = PacketDemultiplexer.kind(of: bytes)
    switch kind {
    case .rtp, .rtcp: precondition(bytes[0] >> 6 == 2)
    case .stun, .dtls, .turnChannel: precondition(bytes[0] < 80)
    case .unknown: break
    }
}
