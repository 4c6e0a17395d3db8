package import JSON

/// The daemon's status as figures in Prometheus' text format.
package struct DaemonMetrics {
    package private(set) var text = ""

    /// - Parameters:
    ///   - status: as the daemon answers it.
    ///   - archive: how many recordings there are, and how many bytes they have; nil when that is not known.
    ///   - freeSpace: bytes that are free on the archive's disk; nil when that is not known.
    package init(_ status: JSONValue, archive: (count: Int, bytes: Int64)? = nil, freeSpace: Int64? = nil) {
        let runs = status["runs"]?.array ?? []
        add("callbot_recordings", "Recordings under way.", Double(runs.count))
        add("callbot_schedules", "Schedules that the daemon follows.", Double(status["schedules"]?.array?.count ?? 0))
        add("callbot_processors", "Processors that all recorders take.", status["load"]?.double ?? 0)
        if let archive {
            add("callbot_archive_recordings", "Recordings in the archive.", Double(archive.count))
            add("callbot_archive_bytes", "Bytes of all recordings in the archive.", Double(archive.bytes))
        }
        if let freeSpace { add("callbot_disk_free_bytes", "Bytes free on the archive's disk.", Double(freeSpace)) }
        for state in ["waiting", "running", "suspended"] {
            let count = (status["jobs"]?.array ?? []).count { $0["state"]?.string == state }
            add(
                "callbot_jobs", "What is to be done with recordings after their end.",
                [("{state=\"\(state)\"}", Double(count))], isFirst: state == "waiting")
        }
        for state in ["starting", "joining", "recording", "waiting", "ending"] {
            let count = runs.count { $0["state"]?.string == state }
            add(
                "callbot_runs", "Runs in each state.", [("{state=\"\(state)\"}", Double(count))],
                isFirst: state == "starting")
        }
        let figures: [(name: String, key: String, scale: Double, help: String)] = [
            ("callbot_elapsed_seconds", "elapsed", 1e-6, "How long the recording is so far."),
            ("callbot_people", "people", 1, "People in the room beside the bot."),
            ("callbot_tracks", "tracks", 1, "Tracks that are being received."),
            ("callbot_loss_ratio", "loss", 1, "Share of packets lost for good."),
            ("callbot_incoming_bits_per_second", "incomingBitRate", 1, "From the room."),
            ("callbot_written_bits_per_second", "outgoingBitRate", 1, "Onto the disk."),
            ("callbot_composite_lag_seconds", "compositeLag", 1e-6, "How far the composite is behind the call."),
            ("callbot_offset_seconds", "offset", 1e-6, "How far sound and picture are apart, of whom that is most."),
            ("callbot_recorder_processors", "load", 1, "Processors that a recorder takes."),
        ]
        for (name, key, scale, help) in figures {
            let known = runs.compactMap { run in run[key]?.double.map { (Self.label(run), $0 * scale) } }
            add(name, help, known)
        }
        let levels = runs.compactMap { run in
            run["compositeLevel"]?.string.map { ("{run=\"\(Self.name(run))\",level=\"\($0)\"}", 1.0) }
        }
        add(
            "callbot_composite_level",
            "With how much the composite is made: full, or less where the machine is too slow.", levels)
    }

    private mutating func add(_ name: String, _ help: String, _ value: Double) { add(name, help, [("", value)]) }

    private mutating func add(
        _ name: String, _ help: String, _ values: [(label: String, value: Double)], isFirst: Bool = true
    ) {
        if isFirst { text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n" }
        for (label, value) in values { text += "\(name)\(label) \(value)\n" }
    }

    private static func label(_ run: JSONValue) -> String { "{run=\"\(name(run))\"}" }

    /// Names of runs are letters, digits and few signs, none of which needs to be escaped.
    private static func name(_ run: JSONValue) -> String { run["run"]?.string ?? "?" }
}
