package import JSON

/// Something to be done with a recording that has ended.
package struct Job: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// Make the composite from the tracks.
        case render
        /// Make the pictures that pages show of it.
        case pictures
    }

    package var kind: Kind
    /// The recording's folder.
    package var folder: String

    package init(_ kind: Kind, of folder: String) {
        self.kind = kind
        self.folder = folder
    }

    package var json: JSONValue { ["kind": .string(kind.rawValue), "folder": .string(folder)] }

    package init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init), let folder = json["folder"]?.string else {
            return nil
        }
        self.init(kind, of: folder)
    }
}

/// How a job came out.
package enum JobResult: Hashable, Sendable {
    case done
    /// The program does not know how to do it.
    case unknownHere
    /// It ended in a way that another attempt would not better: its exit code, or nil for crashes.
    case failed(Int32?)
    case notStarted(String)
    /// The recording is gone.
    case needless
}

/// How far a job is, as it says in a file for whoever watches it.
package struct JobStatus: Hashable, Sendable {
    /// The process, and when it was started, in clock ticks since the machine was.
    package var process: Int32
    package var processStart: UInt64
    /// 0 to 1.
    package var share = 0.0
    /// How it ended; nil before.
    package var exitCode: Int32?

    package init(process: Int32, processStart: UInt64) {
        self.process = process
        self.processStart = processStart
    }

    package var json: JSONValue {
        var json: JSONValue = [
            "process": JSONValue(Int(process)), "processStart": JSONValue(Int(clamping: processStart)),
            "share": .number(share),
        ]
        if let exitCode { json["exitCode"] = JSONValue(Int(exitCode)) }
        return json
    }

    /// Nil when it is none.
    package init?(_ json: JSONValue) {
        guard let process = json["process"]?.int.flatMap({ Int32(exactly: $0) }),
            let start = json["processStart"]?.int.flatMap({ UInt64(exactly: $0) })
        else { return nil }
        self.init(process: process, processStart: start)
        share = json["share"]?.double ?? 0
        exitCode = json["exitCode"]?.int.flatMap { Int32(exactly: $0) }
    }
}
