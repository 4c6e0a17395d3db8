import MediaTypes

/// What stands at the beginning of a finished file that is made of another one: it is written first, with room for what is
/// known last.
enum FinishedFront {
    /// Room for six parts and what follows.
    static let seekHeadLength = 160
    /// Eight bytes of size that say "not known" (RFC 8794 section 6.2).
    static let unknownSize: [UInt8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

    /// The head of a Segment whose size, the last eight bytes, is not known yet.
    static var segmentHead: [UInt8] {
        var head = EBMLBytes()
        head.append(id: .segment)
        head.append(raw: unknownSize)
        return head.bytes
    }

    static var seekHeadSpace: [UInt8] {
        var space = EBMLBytes()
        // A Void of more than 128 bytes has a longer size.
        space.appendVoid(total: seekHeadLength - 100)
        space.appendVoid(total: 100)
        return space.bytes
    }

    /// A size in eight bytes.
    static func size(_ bytes: Int64) -> [UInt8] { bigEndian(UInt64(bytes) | 1 << 56, count: 8) }
}

extension SegmentSurvey {
    /// The Info element with another duration.
    func infoElement(duration: Duration) -> [UInt8] {
        var bytes = EBMLBytes()
        bytes.append(.info) { element in
            if info.isEmpty {
                element.append(.timestampScale, unsigned: UInt64(timestampScale))
                element.append(.muxingApp, string: "callbot")
                element.append(.writingApp, string: "callbot")
            }
            element.append(raw: info)
            element.append(.duration, float: max(0, ticks(of: duration)))
        }
        return bytes.bytes
    }
}
