package import MediaTypes
package import Scheduling
package import Supervision

extension RunID {
    /// Of an event of a schedule: `standup-20261201T090000Z`. The same after every restart; several events of a calendar that
    /// start at once differ by their uids.
    package init(_ event: EventID) {
        var name = "\(event.schedule)-\(Self.compact(event.due))"
        if let uid = event.event {
            let hash = uid.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
            name += "-" + String(hash, radix: 36)
        }
        self.init(name)
    }

    /// Of a run that somebody asked for.
    package init(asked name: String, at now: WallTime) {
        let milliseconds = now.microseconds / 1000 % 1000
        self.init("\(name)-\(Self.compact(now))-\(milliseconds.padded(3))")
    }

    /// What the run is called, without its time: the schedule's id, or the name that somebody gave.
    package var name: String {
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        let time = parts.lastIndex { part in
            part.utf8.count == 16 && part.last == "Z" && part.dropFirst(8).first == "T"
        }
        guard let time, time > 0 else { return value }
        return parts[..<time].joined(separator: "-")
    }

    private static func compact(_ time: WallTime) -> String {
        time.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
