/// Tells what a datagram on a shared port is: by its first byte (RFC 7983 section 7), and RTP from RTCP by the second
/// (RFC 5761 section 4).
package enum PacketDemultiplexer {
    package enum Kind: Hashable, Sendable {
        case stun, dtls, turnChannel, rtp, rtcp
        /// Nothing that may arrive here; to be dropped and counted.
        case unknown
    }

    package static func kind(of datagram: [UInt8]) -> Kind {
        guard datagram.count >= 2 else { return .unknown }
        return kind(firstByte: datagram[0], secondByte: datagram[1])
    }

    package static func kind(firstByte: UInt8, secondByte: UInt8) -> Kind {
        switch firstByte {
        case 0...3: .stun
        case 20...63: .dtls
        case 64...79: .turnChannel
        case 128...191: 64...95 ~= secondByte & 0x7f ? .rtcp : .rtp
        default: .unknown
        }
    }
}
