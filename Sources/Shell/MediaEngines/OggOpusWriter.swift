import COgg
package import MediaTypes

/// Opus packets into an Ogg stream (RFC 7845), as bytes to be appended to a file. Not for more than one thread at a time.
package final class OggOpusWriter {
    /// What the second header says (RFC 7845 section 5.2): `TITLE`, `DATE` and the like, each with its text.
    package typealias Comment = (name: String, text: String)

    private static let sampleRate: Int64 = 48_000

    private let state: UnsafeMutablePointer<ogg_stream_state>
    private let preSkip: Int
    /// Samples at 48 kHz in the packets so far.
    private var samples: Int64 = 0
    private var packetNumber: Int64 = 0
    private var bytes: [UInt8] = []
    /// The packet that waits to learn whether it is the last.
    private var last: EncodedFrame?

    /// - Parameters:
    ///   - serial: tells this stream from others; any number will do for a file with one stream.
    ///   - preSkip: samples at 48 kHz that a player has to skip (RFC 7845 section 5.1).
    package init(channels: Int, preSkip: Int, serial: Int32, comments: [Comment]) {
        self.preSkip = preSkip
        state = .allocate(capacity: 1)
        state.initialize(to: ogg_stream_state())
        precondition(ogg_stream_init(state, serial) == 0, "libogg fails for want of memory alone")
        var head = Array("OpusHead".utf8) + [1, UInt8(channels)]
        head.append(littleEndian: UInt16(preSkip))
        head.append(littleEndian: UInt32(Self.sampleRate))
        head += [0, 0, 0]  // no gain; one stream of one or two channels
        put(head, granule: 0, isLast: false)
        flush()
        var tags = Array("OpusTags".utf8)
        tags.append(text: "callbot")
        tags.append(littleEndian: UInt32(comments.count))
        for (name, text) in comments { tags.append(text: "\(name)=\(text)") }
        put(tags, granule: 0, isLast: false)
        flush()
    }

    deinit {
        ogg_stream_clear(state)
        state.deallocate()
    }

    /// The bytes that have been made since the last call.
    package func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Takes in the next packet; its duration counts, its time does not.
    package func write(_ packet: EncodedFrame) {
        if let last { put(last, isLast: false) }
        last = packet
    }

    /// Ends the stream: of what the packets hold, so much is to be heard (RFC 7845 section 4.5).
    package func finish(duration: Duration) {
        guard let last else { return }
        let end = Int64(preSkip) + duration.nanoseconds * (Self.sampleRate / 1000) / 1_000_000
        put(last, isLast: true, end: end)
        self.last = nil
        flush()
    }

    private func put(_ packet: EncodedFrame, isLast: Bool, end: Int64? = nil) {
        samples += (packet.duration ?? .zero).nanoseconds / 1000 * Self.sampleRate / 1_000_000
        put(packet.payload, granule: min(samples, end ?? samples), isLast: isLast)
        collect(ogg_stream_pageout)
    }

    private func put(_ payload: [UInt8], granule: Int64, isLast: Bool) {
        var payload = payload
        payload.withUnsafeMutableBufferPointer { octets in
            var packet = ogg_packet(
                packet: octets.baseAddress, bytes: octets.count, b_o_s: packetNumber == 0 ? 1 : 0,
                e_o_s: isLast ? 1 : 0, granulepos: granule, packetno: packetNumber)
            // Copies the packet.
            ogg_stream_packetin(state, &packet)
        }
        packetNumber += 1
    }

    private func flush() { collect(ogg_stream_flush) }

    private func collect(
        _ next: (UnsafeMutablePointer<ogg_stream_state>?, UnsafeMutablePointer<ogg_page>?) -> Int32
    ) {
        var page = ogg_page()
        while next(state, &page) != 0 {
            bytes += UnsafeBufferPointer(start: page.header, count: page.header_len)
            bytes += UnsafeBufferPointer(start: page.body, count: page.body_len)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// A text with its length before it.
    fileprivate mutating func append(text: String) {
        append(littleEndian: UInt32(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
