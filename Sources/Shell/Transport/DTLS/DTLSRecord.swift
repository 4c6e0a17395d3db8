/// The 13 octets before each DTLS record (RFC 6347 section 4.1): type, version, epoch, sequence number, length. They are
/// all that can be seen from outside, and enough to split a flight into datagrams and to turn rubbish away.
enum DTLSRecord {
    static let headerLength = 13

    /// Where the records of a datagram or flight end. Nil when it is not whole records of DTLS 1.0 to 1.2 from the first octet
    /// to the last.
    static func ends(in octets: [UInt8]) -> [Int]? {
        var ends: [Int] = []
        var position = 0
        while position < octets.count {
            guard octets.count - position >= headerLength,
                (20...23).contains(octets[position]),  // change_cipher_spec, alert, handshake, application_data
                octets[position + 1] == 0xfe, octets[position + 2] >= 0xfd
            else { return nil }
            let length = Int(octets[position + 11]) << 8 | Int(octets[position + 12])
            position += headerLength + length
            guard position <= octets.count else { return nil }
            ends.append(position)
        }
        return ends.isEmpty ? nil : ends
    }

    /// Cuts what OpenSSL wrote in one go into datagrams of at most `limit` octets, between records only (section 4.1.1).
    static func datagrams(of flight: [UInt8], limit: Int) -> [[UInt8]] {
        guard let ends = ends(in: flight) else { return flight.isEmpty ? [] : [flight] }
        var datagrams: [[UInt8]] = []
        var start = 0
        var end = 0
        for recordEnd in ends {
            if recordEnd - start > limit, end > start {
                datagrams.append(Array(flight[start..<end]))
                start = end
            }
            end = recordEnd
        }
        datagrams.append(Array(flight[start..<end]))
        return datagrams
    }
}
