package import JSON
package import MediaTypes

/// How a recorder is doing, as it says in a file for whoever watches it.
package struct RecorderStatus: Hashable, Sendable {
    package enum State: String, Sendable {
        /// On its way into the room.
        case joining
        case recording
        /// The process has ended, or is about to.
        case ended
    }

    package var state = State.joining
    /// The process, and when it was started, in clock ticks since the machine was.
    package var process: Int32
    package var processStart: UInt64
    package var room: String
    /// When this was said.
    package var at: WallTime
    /// The recording's folder, once there is one.
    package var folder: String?
    package var elapsed: Duration?
    package var people = 0
    package var tracks = 0
    /// Bits a second from the room, and onto the disk.
    package var incomingBitRate = 0
    package var outgoingBitRate = 0
    /// The share of packets lost for good, 0 to 1.
    package var loss = 0.0
    /// How far the composite is behind the call; nil when none is made.
    package var compositeLag: Duration?
    /// With how much it is made: `full`, or less where the machine is too slow.
    package var compositeLevel: String?
    /// How far sound and picture are apart of whom they are farthest apart; nil when that cannot be told.
    package var offset: Duration?
    /// How it ended; nil before.
    package var exitCode: Int32?
    /// The end, in a sentence.
    package var message: String?
    /// What the recording is worth: good, degraded or failed.
    package var verdict: String?

    package init(process: Int32, processStart: UInt64, room: String, at: WallTime) {
        self.process = process
        self.processStart = processStart
        self.room = room
        self.at = at
    }

    /// The lock that a recorder holds as long as it lives, beside its status file.
    package static func lock(of path: String) -> String { path + ".lock" }

    package var json: JSONValue {
        var json: JSONValue = [
            "state": .string(state.rawValue), "process": JSONValue(Int(process)),
            "processStart": JSONValue(Int(clamping: processStart)), "room": .string(room),
            "at": .integer(at.microseconds), "people": JSONValue(people), "tracks": JSONValue(tracks),
            "incomingBitRate": JSONValue(incomingBitRate), "outgoingBitRate": JSONValue(outgoingBitRate),
            "loss": .number(loss),
        ]
        if let folder { json["folder"] = .string(folder) }
        if let elapsed { json["elapsed"] = .integer(elapsed.microseconds) }
        if let compositeLag { json["compositeLag"] = .integer(compositeLag.microseconds) }
        if let compositeLevel { json["compositeLevel"] = .string(compositeLevel) }
        if let offset { json["offset"] = .integer(offset.microseconds) }
        if let exitCode { json["exitCode"] = JSONValue(Int(exitCode)) }
        if let message { json["message"] = .string(message) }
        if let verdict { json["verdict"] = .string(verdict) }
        return json
    }

    /// Nil when it is none.
    package init?(_ json: JSONValue) {
        guard let state = json["state"]?.string.flatMap(State.init),
            let process = json["process"]?.int.flatMap({ Int32(exactly: $0) }),
            let start = json["processStart"]?.int.flatMap({ UInt64(exactly: $0) }), let room = json["room"]?.string,
            let at = json["at"]?.int
        else { return nil }
        self.init(process: process, processStart: start, room: room, at: WallTime(microseconds: Int64(at)))
        self.state = state
        folder = json["folder"]?.string
        elapsed = json["elapsed"]?.int.map { .microseconds($0) }
        people = json["people"]?.int ?? 0
        tracks = json["tracks"]?.int ?? 0
        incomingBitRate = json["incomingBitRate"]?.int ?? 0
        outgoingBitRate = json["outgoingBitRate"]?.int ?? 0
        loss = json["loss"]?.double ?? 0
        compositeLag = json["compositeLag"]?.int.map { .microseconds($0) }
        compositeLevel = json["compositeLevel"]?.string
        offset = json["offset"]?.int.map { .microseconds($0) }
        exitCode = json["exitCode"]?.int.flatMap { Int32(exactly: $0) }
        message = json["message"]?.string
        verdict = json["verdict"]?.string
    }
}
