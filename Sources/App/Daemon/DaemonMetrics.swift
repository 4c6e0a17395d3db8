package import JSON

/// The daemon's status as figures in Prometheus' text format.
package struct DaemonMetrics {
    package private(set) var text = ""

    /// - Parameter status: as the daemon answers it.
    package init(_ status: JSONValue) {
        let runs = status["runs"]?.array ?? []
        add("callbot_recordings", "gauge", "Recordings under way.", [("", Double(runs.count))])
        add(
            "callbot_schedules", "gauge", "Schedules that the daemon follows.",
            [("", Double(status["schedules"]?.array?.count ?? 0))])
        add("callbot_processors", "gauge", "Processors that all recorders take.", [("", status["load"]?.double ?? 0)])
        let figures: [(name: String, key: String, help: String)] = [
            ("callbot_people", "people", "People in the room beside the bot."),
            ("callbot_tracks", "tracks", "Tracks that are being received."),
            ("callbot_loss_ratio", "loss", "Share of packets lost for good."),
            ("callbot_incoming_bits_per_second", "incomingBitRate", "From the room."),
            ("callbot_written_bits_per_second", "outgoingBitRate", "Onto the disk."),
        ]
        for (name, key, help) in figures {
            add(name, "gauge", help, runs.map { (Self.label($0), $0["recorder"]?[key]?.double ?? 0) })
        }
        add(
            "callbot_recorder_processors", "gauge", "Processors that a recorder takes.",
            runs.map { (Self.label($0), $0["load"]?.double ?? 0) })
    }

    private mutating func add(
        _ name: String, _ type: String, _ help: String, _ values: [(label: String, value: Double)]
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (label, value) in values { text += "\(name)\(label) \(value)\n" }
    }

    /// Names of runs are letters, digits and few signs, none of which needs to be escaped.
    private static func label(_ run: JSONValue) -> String { "{run=\"\(run["run"]?.string ?? "?")\"}" }
}
