/// The two messages by which data channels are opened, the Data Channel Establishment Protocol (RFC 8832 section 5).
enum DCEPMessage: Equatable {
    /// Channel type 0 is ordered and reliable; the others promise less, which changes nothing for who receives.
    case open(label: String, subprotocol: String)
    case acknowledge

    /// Nil for what is neither, is cut short, or names its channel in anything but UTF-8.
    init?(_ octets: [UInt8]) {
        switch octets.first {
        case 0x02: self = .acknowledge
        case 0x03:
            guard octets.count >= 12 else { return nil }
            let labelEnd = 12 + (Int(octets[8]) << 8 | Int(octets[9]))
            let end = labelEnd + (Int(octets[10]) << 8 | Int(octets[11]))
            guard octets.count >= end,
                let label = String(validating: octets[12..<labelEnd], as: UTF8.self),
                let subprotocol = String(validating: octets[labelEnd..<end], as: UTF8.self)
            else { return nil }
            self = .open(label: label, subprotocol: subprotocol)
        default: return nil
        }
    }

    var octets: [UInt8] {
        switch self {
        case .acknowledge: return [0x02]
        case .open(let label, let subprotocol):
            let label = Array(label.utf8.prefix(Int(UInt16.max)))
            let subprotocol = Array(subprotocol.utf8.prefix(Int(UInt16.max)))
            // Type, ordered and reliable, priority "below normal" as browsers have it (RFC 8831 section 6.4), no parameter.
            return [0x03, 0x00, 0x01, 0x00, 0, 0, 0, 0]
                + [UInt8(label.count >> 8), UInt8(label.count & 0xff)]
                + [UInt8(subprotocol.count >> 8), UInt8(subprotocol.count & 0xff)] + label + subprotocol
        }
    }
}
