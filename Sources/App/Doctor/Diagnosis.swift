import HostReading
import JSON
import MediaTypes

/// What is to be thought of a machine. Pure: measurements in, findings out.
package struct Diagnosis: Hashable, Sendable {
    package let measurements: Measurements
    /// In the order in which they are told, one a subject.
    package let findings: [Finding]
    /// Nil where the codec does not work.
    package let capacity: Capacity?

    package init(_ measurements: Measurements) {
        self.measurements = measurements
        capacity = measurements.pictures.map {
            Capacity($0, processors: measurements.processors.usable, memory: measurements.memory?.available)
        }
        findings = [
            Self.processors(measurements.processors), Self.memory(measurements.memory),
            Self.pictures(measurements, capacity),
            Self.disk(measurements.disk), Self.writing(measurements.disk), Self.fileSystem(measurements.disk),
            Self.clock(measurements.clock), Self.fonts(missing: measurements.missingScripts),
            Self.timeZones(measurements.timeZones), Self.openFiles(measurements.openFiles),
            Self.certificates(measurements.security), Self.network(measurements.sockets),
            Self.libraries(measurements.libraries),
        ]
    }

    /// The worst of all levels.
    package var level: Finding.Level { findings.map(\.level).max() ?? .ok }
}

// MARK: - What pictures need

extension Diagnosis {
    private static func processors(_ processors: HostProcessors) -> Finding {
        let count = "\(processors.count) \(processors.count == 1 ? "processor" : "processors")"
        guard let quota = processors.quota, quota < Double(processors.count) else {
            return Finding(.processors, .ok, count)
        }
        return Finding(.processors, .ok, "\(quota.rounded(to: 1)) of \(count), by the control group's limit")
    }

    private static func memory(_ memory: HostMemory?) -> Finding {
        guard let memory else {
            return Finding(.memory, .warning, "how much there is cannot be told", advice: "mount /proc")
        }
        let text = "\(gigabytes(memory.available)) of \(gigabytes(memory.total)) available"
        guard memory.available < 2 * Capacity.memory else { return Finding(.memory, .ok, text) }
        return Finding(
            .memory, memory.available < Capacity.memory ? .problem : .warning, text,
            advice: "a recording takes up to \(Capacity.memory / 1_000_000) MB: free some, or give the machine more")
    }

    private static func pictures(_ measurements: Measurements, _ capacity: Capacity?) -> Finding {
        guard let cost = measurements.pictures, let capacity else {
            return Finding(
                .pictures, .problem, "VP8 cannot be encoded and decoded",
                advice: "install libvpx as the package asks for it; until then record with --no-composite")
        }
        let speed = Int((1 / max(1e-6, cost.encoding.seconds)).rounded())
        let measured = "\(speed) pictures of 1280x720 a second are encoded by one processor"
        guard capacity.people > 0 else {
            return Finding(
                .pictures, .warning, "\(measured), too few for a composite in real time",
                advice: "record with --no-composite and 'callbot render' later, or with --size 640x360")
        }
        let people = "one recording can show \(Self.people(capacity.people)) in real time"
        let recordings =
            "\(capacity.recordings) \(capacity.recordings == 1 ? "recording" : "recordings") of "
            + "\(Capacity.typicalPeople) fit at once"
        let text = "\(people), \(recordings) (\(measured); assumed: everybody sends 640x360 at 25, and moves)"
        guard capacity.recordings < 1 else { return Finding(.pictures, .ok, text) }
        return Finding(
            .pictures, .warning, text,
            advice: "for larger calls record with --no-composite and 'callbot render' later, or with --size 640x360")
    }

    private static func people(_ count: Int) -> String {
        count == 1 ? "1 person" : count > 100 ? "more than 100 people" : "\(count) people"
    }
}

// MARK: - What recordings are kept on

extension Diagnosis {
    private static func disk(_ disk: Measurements.Disk) -> Finding {
        if case .failed(let reason) = disk.writing {
            return Finding(
                .disk, .problem, "\(disk.folder) cannot be written to: \(reason)",
                advice: "give it to the user that records, or choose another one with --archive or CALLBOT_ARCHIVE")
        }
        let hours = Double(disk.free) / Capacity.bytesPerSecond() / 3600
        let rate = "\((Capacity.bytesPerSecond() * 3600 / 1e9).rounded(to: 1)) GB an hour"
        let text =
            "\(gigabytes(disk.free)) free in \(disk.folder), about \(span(hours: hours)) of a call of "
            + "\(Capacity.typicalPeople) (\(rate))"
        guard hours < 10 else { return Finding(.disk, .ok, text) }
        return Finding(
            .disk, hours < 1 ? .problem : .warning, text,
            advice: "free some space, or choose another disk with --archive")
    }

    private static func span(hours: Double) -> String {
        hours < 1 ? "\(Int(hours * 60)) minutes" : hours < 1000 ? "\(Int(hours)) hours" : "\(Int(hours / 24)) days"
    }

    private static func writing(_ disk: Measurements.Disk) -> Finding {
        switch disk.writing {
        case .failed, .notTried:
            return Finding(.writing, .ok, "not measured")
        case .measured(let bytes, let sync):
            let speed = "\((bytes / 1e6).rounded(to: bytes < 1e7 ? 1 : 0)) MB/s"
            let text = "\(speed), a few bytes are on the disk after \(milliseconds(sync))"
            let needed = Capacity.bytesPerSecond()
            let level: Finding.Level =
                bytes < 2 * needed ? .problem : bytes < 10 * needed || sync > .seconds(1) ? .warning : .ok
            guard level > .ok else { return Finding(.writing, .ok, text) }
            let rate = "\((needed / 1e6).rounded(to: 1)) MB/s"
            return Finding(
                .writing, level, text, advice: "a call of \(Capacity.typicalPeople) writes \(rate): use a faster disk")
        }
    }

    private static func fileSystem(_ disk: Measurements.Disk) -> Finding {
        switch disk.kind {
        case .local: Finding(.fileSystem, .ok, "on a disk of this machine")
        case .memory:
            Finding(
                .fileSystem, .warning, "in memory: recordings are gone when the machine stops",
                advice: "choose a folder on a disk with --archive or CALLBOT_ARCHIVE")
        case .layered:
            Finding(
                .fileSystem, .warning, "in a container's own layer: recordings are gone when the container is",
                advice: "mount a volume and choose it with --archive or CALLBOT_ARCHIVE")
        case .network(let name):
            Finding(
                .fileSystem, .warning, "on another machine (\(name)): recordings end when it cannot be reached",
                advice: "record onto a disk of this machine, and move what is finished")
        case .program:
            Finding(
                .fileSystem, .warning, "served by a program (FUSE), which may be slow or lose what it was given",
                advice: "record onto a disk of this machine, and move what is finished")
        }
    }
}

// MARK: - The rest of the machine

extension Diagnosis {
    private static func clock(_ clock: Measurements.Clock) -> Finding {
        if clock.backwards > .zero {
            return Finding(
                .clock, .problem, "the steady clock went back by \(milliseconds(clock.backwards))",
                advice: "choose another clock source in /sys/devices/system/clocksource, or another machine")
        }
        return switch clock.keeping {
        case .synchronized: Finding(.clock, .ok, "kept right, and goes forward only")
        case .unsynchronized:
            Finding(
                .clock, .warning,
                "nobody keeps it right: recordings may be dated wrongly, and scheduled ones begin at a wrong time",
                advice: "apt install systemd-timesyncd, or chrony")
        case .unknown: Finding(.clock, .ok, "goes forward only; whether it is kept right is not told here")
        }
    }

    private static func fonts(missing: [WritingSystem]) -> Finding {
        guard !missing.isEmpty else {
            return Finding(.fonts, .ok, WritingSystem.allCases.map(\.name).joined(separator: ", "))
        }
        return Finding(
            .fonts, missing.contains(.latin) ? .problem : .warning,
            "none for \(missing.map(\.name).joined(separator: ", ")): such names are drawn as boxes",
            advice: "apt install \(missing.map(\.package).joined(separator: " "))")
    }

    private static func timeZones(_ zones: Measurements.TimeZones) -> Finding {
        guard zones.count > 0 else {
            return Finding(.timeZones, .problem, "there are none", advice: "apt install tzdata")
        }
        guard let host = zones.host else {
            return Finding(
                .timeZones, .warning, zones.failure ?? "the host's own cannot be read",
                advice: "set TZ or /etc/localtime to a zone, such as Europe/Berlin")
        }
        return Finding(.timeZones, .ok, "\(zones.count), and this machine's is \(host)")
    }

    private static func openFiles(_ limit: Int) -> Finding {
        guard limit < 512 else {
            return Finding(.openFiles, .ok, limit > 1 << 30 ? "as many as there are" : "up to \(limit)")
        }
        return Finding(
            .openFiles, limit < 64 ? .problem : .warning,
            "up to \(limit): enough for about \(max(0, (limit - 40) / 2)) people in a call",
            advice: "ulimit -n 4096, or LimitNOFILE= in the service")
    }

    private static func certificates(_ security: Measurements.Security) -> Finding {
        guard security.hasTLS else {
            return Finding(
                .certificates, .problem, "no TLS: neither wss nor https will work",
                advice: "apt install glib-networking")
        }
        guard security.authorities > 0 else {
            return Finding(
                .certificates, .warning, "no authority is trusted: wss works with --ca-file alone",
                advice: "apt install ca-certificates")
        }
        return Finding(.certificates, .ok, "\(security.authorities) authorities are trusted")
    }

    private static func network(_ sockets: DatagramSockets) -> Finding {
        switch (sockets.version4, sockets.version6) {
        case (.none(let reason), .none):
            Finding(
                .network, .problem, "no UDP sockets can be made: \(reason)",
                advice: "allow AF_INET and AF_INET6 (RestrictAddressFamilies= in the service, or the container's rules)"
            )
        case (.routed, .routed): Finding(.network, .ok, "UDP by IPv4 and IPv6")
        case (.routed, _): Finding(.network, .ok, "UDP by IPv4; there is no way out by IPv6")
        case (_, .routed): Finding(.network, .ok, "UDP by IPv6; there is no way out by IPv4")
        default:
            Finding(
                .network, .warning, "UDP on this machine alone: there is no way out of it",
                advice: "only servers on this machine can be reached; see 'ip route'")
        }
    }

    private static func libraries(_ libraries: [Measurements.Library]) -> Finding {
        Finding(.libraries, .ok, libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
    }

    private static func gigabytes(_ bytes: Int64) -> String {
        bytes < 1_000_000_000 ? "\(bytes / 1_000_000) MB" : "\((Double(bytes) / 1e9).rounded(to: 1)) GB"
    }

    private static func milliseconds(_ span: Duration) -> String {
        span < .milliseconds(10) ? "\((span.seconds * 1000).rounded(to: 1)) ms" : "\(span.microseconds / 1000) ms"
    }
}

extension Double {
    /// With so many digits behind the point, none of them a needless zero.
    fileprivate func rounded(to digits: Int) -> String {
        let scale = digits == 0 ? 1.0 : 10.0
        let value = (self * scale).rounded() / scale
        return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }
}
