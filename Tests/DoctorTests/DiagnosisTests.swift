import HostReading
import JSON
import Testing

@testable import Doctor

extension Measurements {
    /// A machine that nothing is wrong with.
    static func good(_ change: (inout Measurements) -> Void = { _ in }) -> Measurements {
        var measurements = Measurements(
            processors: HostProcessors(count: 4), memory: HostMemory(total: 8_000_000_000, available: 6_000_000_000),
            pictures: PictureCost(encoding: .milliseconds(6), showing: .microseconds(800)),
            disk: Disk(
                folder: "/srv/recordings", free: 200_000_000_000,
                writing: .measured(bytesPerSecond: 90_000_000, sync: .milliseconds(4)), kind: .local),
            clock: Clock(keeping: .synchronized), missingScripts: [],
            timeZones: TimeZones(count: 430, host: "Europe/Berlin"), openFiles: 1024,
            security: Security(hasTLS: true, authorities: 140),
            sockets: DatagramSockets(version4: .routed, version6: .routed), libraries: [Library("libvpx", "v1.12.0")])
        change(&measurements)
        return measurements
    }
}

@Suite struct DiagnosisTests {
    struct Case: Sendable, CustomStringConvertible {
        var subject: Finding.Subject
        var level: Finding.Level
        /// What the finding must say, in its text or in its advice.
        var words: String
        var change: @Sendable (inout Measurements) -> Void
        var description: String { "\(subject.rawValue): \(words)" }

        init(
            _ subject: Finding.Subject, _ level: Finding.Level, _ words: String,
            _ change: @escaping @Sendable (inout Measurements) -> Void
        ) {
            (self.subject, self.level, self.words, self.change) = (subject, level, words, change)
        }
    }

    @Test func aGoodMachineIsWell() {
        let diagnosis = Diagnosis(.good())
        #expect(diagnosis.level == .ok)
        #expect(diagnosis.findings.map(\.subject) == Finding.Subject.allCases.sorted(by: Self.order))
        #expect(diagnosis.findings.allSatisfy { $0.advice == nil && !$0.text.isEmpty })
    }

    /// As they are told.
    private static func order(_ one: Finding.Subject, _ other: Finding.Subject) -> Bool {
        let subjects: [Finding.Subject] = [
            .processors, .memory, .pictures, .disk, .writing, .fileSystem, .clock, .fonts, .timeZones, .openFiles,
            .certificates, .network, .libraries,
        ]
        return (subjects.firstIndex(of: one) ?? .max) < (subjects.firstIndex(of: other) ?? .max)
    }

    static let cases: [Case] = [
        Case(.processors, .ok, "4 processors") { _ in },
        Case(.processors, .ok, "1 processor") { $0.processors.count = 1 },
        Case(.processors, .ok, "1.5 of 4 processors") { $0.processors.quota = 1.5 },
        Case(.memory, .ok, "6 GB of 8 GB available") { _ in },
        Case(.memory, .warning, "200 MB of 8 GB") { $0.memory?.available = 200_000_000 },
        Case(.memory, .problem, "up to 150 MB") { $0.memory?.available = 100_000_000 },
        Case(.memory, .warning, "cannot be told") { $0.memory = nil },
        Case(.pictures, .ok, "42 people in real time, 11 recordings of 4") { _ in },
        Case(.pictures, .problem, "cannot be encoded") { $0.pictures = nil },
        Case(.pictures, .warning, "--no-composite") { $0.pictures?.encoding = .milliseconds(60) },
        Case(.pictures, .warning, "3 people in real time, 0 recordings of 4") {
            $0.pictures?.showing = .milliseconds(10)
        },
        Case(.disk, .ok, "200 GB free in /srv/recordings, about 101 hours of a call of 4 (2 GB an hour)") { _ in },
        Case(.disk, .warning, "about 5 hours") { $0.disk.free = 10_000_000_000 },
        Case(.disk, .problem, "minutes") { $0.disk.free = 1_000_000_000 },
        Case(.disk, .problem, "/srv/recordings cannot be written to: permission denied") {
            $0.disk.writing = .failed("permission denied")
        },
        Case(.writing, .ok, "90 MB/s") { _ in },
        Case(.writing, .ok, "not measured") { $0.disk.writing = .notTried },
        Case(.writing, .problem, "0.5 MB/s") {
            $0.disk.writing = .measured(bytesPerSecond: 500_000, sync: .milliseconds(4))
        },
        Case(.writing, .warning, "faster disk") {
            $0.disk.writing = .measured(bytesPerSecond: 3_000_000, sync: .milliseconds(4))
        },
        Case(.writing, .warning, "after 2500 ms") {
            $0.disk.writing = .measured(bytesPerSecond: 90_000_000, sync: .milliseconds(2500))
        },
        Case(.fileSystem, .warning, "in memory") { $0.disk.kind = .memory },
        Case(.fileSystem, .warning, "volume") { $0.disk.kind = .layered },
        Case(.fileSystem, .warning, "NFS") { $0.disk.kind = .network("NFS") },
        Case(.fileSystem, .warning, "FUSE") { $0.disk.kind = .program },
        Case(.clock, .warning, "systemd-timesyncd") { $0.clock.keeping = .unsynchronized },
        Case(.clock, .ok, "not told here") { $0.clock.keeping = .unknown },
        Case(.clock, .problem, "went back by 3 ms") { $0.clock.backwards = .milliseconds(3) },
        Case(.fonts, .warning, "apt install fonts-noto-cjk fonts-symbola") { $0.missingScripts = [.chinese, .emoji] },
        Case(.fonts, .problem, "fonts-dejavu-core") { $0.missingScripts = [.latin] },
        Case(.timeZones, .problem, "tzdata") { $0.timeZones = .init(count: 0, host: "UTC") },
        Case(.timeZones, .warning, "unknown time zone") {
            $0.timeZones = .init(count: 400, host: nil, failure: "unknown time zone 'Berln'")
        },
        Case(.openFiles, .warning, "108 people") { $0.openFiles = 256 },
        Case(.openFiles, .problem, "0 people") { $0.openFiles = 32 },
        Case(.openFiles, .ok, "as many as there are") { $0.openFiles = .max },
        Case(.certificates, .problem, "glib-networking") { $0.security.hasTLS = false },
        Case(.certificates, .warning, "ca-certificates") { $0.security.authorities = 0 },
        Case(.network, .ok, "no way out by IPv6") { $0.sockets.version6 = .local },
        Case(.network, .ok, "no way out by IPv4") { $0.sockets.version4 = .none("x") },
        Case(.network, .warning, "ip route") { $0.sockets = .init(version4: .local, version6: .local) },
        Case(.network, .problem, "not permitted") {
            $0.sockets = .init(version4: .none("operation not permitted"), version6: .none("x"))
        },
        Case(.libraries, .ok, "libvpx v1.12.0") { _ in },
    ]

    @Test(arguments: cases)
    func eachMeasurementIsJudged(example: Case) throws {
        let diagnosis = Diagnosis(.good(example.change))
        let finding = try #require(diagnosis.findings.first { $0.subject == example.subject })
        #expect(finding.level == example.level)
        #expect("\(finding.text) \(finding.advice ?? "")".contains(example.words), "\(finding)")
        #expect((finding.advice == nil) == (finding.level == .ok), "what is wrong can be put right")
        #expect(diagnosis.level >= example.level)
    }

    @Test func theWorstCounts() {
        let diagnosis = Diagnosis(
            .good {
                $0.clock.keeping = .unsynchronized
                $0.security.hasTLS = false
            })
        #expect(diagnosis.level == .problem)
        #expect(diagnosis.findings.count { $0.level > .ok } == 2)
    }

    @Test func programsGetTheSame() {
        let text = Diagnosis(.good { $0.clock.keeping = .unsynchronized }).json.compact
        #expect(text.hasPrefix(#"{"level":"warning","findings":[{"subject":"processors","level":"ok""#))
        #expect(text.contains(#""people":42,"recordings":11"#))
        #expect(text.contains(#""advice":null"#) && text.contains("chrony"))
    }
}

@Suite struct CapacityTests {
    struct Example: Sendable {
        var encoding: Duration
        var showing: Duration
        var processors: Double
        var memory: Int64?
        var people: Int
        var recordings: Int
    }

    @Test(arguments: [
        // A whole thread draws where there are processors enough: 0.85 of one, at 0.02 a person.
        Example(
            encoding: .milliseconds(6), showing: .microseconds(800), processors: 4, memory: nil, people: 42,
            recordings: 11),
        // One processor does all: 0.85 less 0.15 for encoding and 0.06 for capturing.
        Example(
            encoding: .milliseconds(6), showing: .microseconds(800), processors: 1, memory: nil, people: 32,
            recordings: 2),
        Example(
            encoding: .milliseconds(6), showing: .microseconds(800), processors: 4, memory: 500_000_000, people: 42,
            recordings: 3),
        // Encoding alone is too much for a thread, however many processors there are.
        Example(
            encoding: .milliseconds(40), showing: .microseconds(800), processors: 64, memory: nil, people: 0,
            recordings: 0),
        Example(
            encoding: .milliseconds(30), showing: .milliseconds(10), processors: 64, memory: nil, people: 3,
            recordings: 0),
    ])
    func peopleAndRecordingsAreWhatFits(example: Example) {
        let capacity = Capacity(
            .init(encoding: example.encoding, showing: example.showing), processors: example.processors,
            memory: example.memory)
        #expect(capacity.people == example.people)
        #expect(capacity.recordings == example.recordings)
    }
}
