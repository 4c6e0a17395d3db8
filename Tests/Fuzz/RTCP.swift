// A compound RTCP packet; and what we write of what we read is read as the same.
import RTP

func fuzz(_ bytes: [UInt8]) {
    let compound = RTCPCompound(parsing: bytes)
    let known = compound.packets.filter { if case .other = $0 { false } else { true } }
    let written = RTCPCompound(known).serialized()
    let again = RTCPCompound(parsing: written)
    precondition(known.isEmpty || again.error == nil, "what we write is not well-formed")
    precondition(RTCPCompound(again.packets).serialized() == written, "written twice, it differs")
}
