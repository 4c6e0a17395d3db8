/// Who sources belong to (RFC 3550 section 6.5). Only the canonical name is kept.
package struct SourceDescription: Sendable, Equatable {
    package struct Chunk: Sendable, Equatable {
        package var ssrc: SSRC
        /// The same for all sources of one sender whose clocks agree (RFC 7022).
        package var cname: String?

        package init(ssrc: SSRC, cname: String?) {
            self.ssrc = ssrc
            self.cname = cname
        }
    }

    package var chunks: [Chunk]

    package init(chunks: [Chunk]) { self.chunks = chunks }

    private static let cnameItem: UInt8 = 1

    init?(parsing bytes: [UInt8], _ body: Range<Int>, count: Int) {
        chunks = []
        var offset = body.lowerBound
        for _ in 0..<count {
            guard offset + 4 <= body.upperBound, let ssrc = bytes.uint32(at: offset) else { return nil }
            var chunk = Chunk(ssrc: SSRC(ssrc), cname: nil)
            offset += 4
            while true {
                guard offset < body.upperBound else { return nil }
                let item = bytes[offset]
                if item == 0 { break }
                guard offset + 1 < body.upperBound else { return nil }
                let text = (offset + 2)..<(offset + 2 + Int(bytes[offset + 1]))
                guard text.upperBound <= body.upperBound else { return nil }
                if item == Self.cnameItem { chunk.cname = String(decoding: bytes[text], as: UTF8.self) }
                offset = text.upperBound
            }
            // At least one zero ends the items, and more of them fill the word.
            offset += 4 - (offset - body.lowerBound) % 4
            guard offset <= body.upperBound else { return nil }
            chunks.append(chunk)
        }
    }

    func append(to bytes: inout [UInt8]) {
        let chunks = chunks.prefix(31)
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.sourceDescription, format: UInt8(chunks.count))
        for chunk in chunks {
            bytes.append(bigEndian: chunk.ssrc.value)
            if let cname = chunk.cname {
                let text = Array(cname.utf8.prefix(255))
                bytes.append(Self.cnameItem)
                bytes.append(UInt8(text.count))
                bytes += text
            }
            repeat { bytes.append(0) } while (bytes.count - start) % 4 != 0
        }
        bytes.endMember(start)
    }
}

/// Sources that are leaving (RFC 3550 section 6.6).
package struct Goodbye: Sendable, Equatable {
    /// At most 31.
    package var sources: [SSRC]

    package init(sources: [SSRC]) { self.sources = sources }

    init?(parsing bytes: [UInt8], _ body: Range<Int>, count: Int) {
        guard body.count >= 4 * count else { return nil }
        sources = (0..<count).compactMap { bytes.uint32(at: body.lowerBound + 4 * $0).map(SSRC.init) }
    }

    func append(to bytes: inout [UInt8]) {
        let sources = sources.prefix(31)
        let start = bytes.beginMember(packetType: RTCPPacket.Kind.goodbye, format: UInt8(sources.count))
        for source in sources { bytes.append(bigEndian: source.value) }
        bytes.endMember(start)
    }
}
