/// What is wrong with a file of the zone database.
package enum ZoneFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case noZoneFile
    case truncated
    case invalid(String)

    package var description: String {
        switch self {
        case .noZoneFile: "it is no time zone file"
        case .truncated: "the time zone file is cut short"
        case .invalid(let what): "the time zone file has \(what)"
        }
    }
}

extension TransitionTable {
    /// Reads a compiled zone of the IANA database (TZif, RFC 9636), of version 2 or later the 64-bit part with its rule
    /// for the future. Leap seconds are passed over: host clocks do not count them.
    package init(name: String, zoneFile bytes: [UInt8]) throws(ZoneFileError) {
        var header = try Header(bytes, at: 0)
        var start = Header.length
        var timeSize = 4
        if header.version >= UInt8(ascii: "2") {
            start += header.bodyLength(timeSize: 4)
            header = try Header(bytes, at: start)
            start += Header.length
            timeSize = 8
        }
        let end = start + header.bodyLength(timeSize: timeSize)
        guard end <= bytes.count else { throw .truncated }
        guard header.types > 0 else { throw .invalid("no types of local time") }

        func number(_ position: Int, _ size: Int) -> Int {
            var value = 0
            for byte in bytes[position..<position + size] { value = value << 8 | Int(byte) }
            return size == 4 ? Int(Int32(truncatingIfNeeded: value)) : value
        }
        let typeIndices = start + header.transitions * timeSize
        let types = typeIndices + header.transitions
        func offset(ofType index: Int) throws(ZoneFileError) -> Int {
            guard index < header.types else { throw .invalid("a change to no known local time") }
            let offset = number(types + index * 6, 4)
            guard abs(offset) < maximumOffset else { throw .invalid("an offset of more than a day") }
            return offset
        }
        var changes: [Change] = []
        for index in 0..<header.transitions {
            let instant = number(start + index * timeSize, timeSize)
            // Some compilers write the beginning of time as a change.
            guard reckonedSeconds.contains(instant) else { continue }
            changes.append(Change(instant: instant, offset: try offset(ofType: Int(bytes[typeIndices + index]))))
        }
        var rule: POSIXTimeZone?
        if timeSize == 8 {
            let footer = bytes[end...]
            guard footer.first == 0x0A, let close = footer.dropFirst().firstIndex(of: 0x0A) else { throw .truncated }
            let text = String(decoding: footer[(end + 1)..<close], as: UTF8.self)
            rule = POSIXTimeZone(text)
            guard rule != nil || text.isEmpty else { throw .invalid("a rule '\(text)' that cannot be read") }
        }
        self.init(name: name, firstOffset: try offset(ofType: 0), changes: changes, then: rule)
    }

    /// The counts at the start of each part.
    private struct Header {
        static let length = 44
        let version: UInt8
        let transitions: Int
        let types: Int
        /// The lengths of what nobody needs here: names, leap seconds, and two kinds of flags.
        let characters: Int
        let leapSeconds: Int
        let flags: Int

        init(_ bytes: [UInt8], at start: Int) throws(ZoneFileError) {
            guard bytes.count >= start + Self.length else { throw start == 0 ? .noZoneFile : .truncated }
            guard bytes[start..<start + 4].elementsEqual("TZif".utf8) else { throw .noZoneFile }
            func count(_ index: Int) throws(ZoneFileError) -> Int {
                let position = start + 20 + index * 4
                let value = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
                guard value <= 100_000 else { throw .invalid("more entries than it can") }
                return value
            }
            version = bytes[start + 4]
            flags = try count(0) + count(1)
            leapSeconds = try count(2)
            transitions = try count(3)
            types = try count(4)
            characters = try count(5)
        }

        func bodyLength(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4) + flags
        }
    }
}
