import COgg
import Glibc
import MediaTypes
import Testing

@testable import MediaEngines

/// What libogg reads again of what was written with it.
private struct Stream {
    var packets: [[UInt8]] = []
    var granules: [Int64] = []
    var isEnded = false
    var pages = 0

    init(_ bytes: [UInt8]) {
        var sync = ogg_sync_state()
        var state = ogg_stream_state()
        var page = ogg_page()
        ogg_sync_init(&sync)
        defer { ogg_sync_clear(&sync) }
        bytes.withUnsafeBytes { octets in
            if let start = octets.baseAddress, let room = ogg_sync_buffer(&sync, octets.count) {
                memcpy(room, start, octets.count)
                ogg_sync_wrote(&sync, octets.count)
            }
        }
        while ogg_sync_pageout(&sync, &page) == 1 {
            if pages == 0 { ogg_stream_init(&state, ogg_page_serialno(&page)) }
            pages += 1
            ogg_stream_pagein(&state, &page)
            granules.append(ogg_page_granulepos(&page))
            isEnded = ogg_page_eos(&page) != 0
            var packet = ogg_packet()
            while ogg_stream_packetout(&state, &packet) == 1 {
                packets.append(Array(UnsafeBufferPointer(start: packet.packet, count: packet.bytes)))
            }
        }
        ogg_stream_clear(&state)
    }
}

@Suite struct OggOpusWriterTests {
    private func packets(_ count: Int) throws -> [EncodedFrame] {
        let encoder = try OpusEncoder()
        return try (0..<count).map { index in
            let samples = (0..<1920).map { Float(sin(Double(index * 960 + $0 / 2) * 440 * 2 * .pi / 48_000)) * 0.3 }
            return EncodedFrame(
                codec: .opus, time: .zero, duration: .milliseconds(20), isKeyframe: true,
                payload: try encoder.encode(samples))
        }
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let writer = OggOpusWriter(channels: 2, preSkip: 312, serial: 77, comments: [("TITLE", "Zoë")])
        var bytes = writer.takeBytes()
        let written = try packets(150)
        for packet in written {
            writer.write(packet)
            bytes += writer.takeBytes()
        }
        writer.finish(duration: .milliseconds(2987))
        bytes += writer.takeBytes()
        let stream = Stream(bytes)
        #expect(stream.packets.count == 152)
        #expect(
            stream.packets[0]
                == Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0, 0])
        #expect(
            stream.packets[1]
                == Array("OpusTags".utf8) + [7, 0, 0, 0] + Array("callbot".utf8) + [1, 0, 0, 0, 10, 0, 0, 0]
                + Array("TITLE=Zoë".utf8))
        let isWhole = Array(stream.packets.dropFirst(2)) == written.map(\.payload)
        #expect(isWhole)
        // The end is exact to the sample, though packets are of 20 ms (RFC 7845 section 4.5).
        #expect(stream.granules.last == Int64(312 + 2987 * 48))
        #expect(stream.isEnded && stream.pages > 4)
        #expect(zip(stream.granules, stream.granules.dropFirst()).allSatisfy { $0 <= $1 })
    }
}
