import Doctor
import HostReading
import Testing

@testable import Commands

@Suite struct DoctorCommandTests {
    private static let bad = Measurements(
        processors: HostProcessors(count: 2), memory: HostMemory(total: 8_000_000_000, available: 6_000_000_000),
        pictures: .init(encoding: .milliseconds(6), showing: .microseconds(800)),
        disk: .init(
            folder: "/srv/\u{1b}[31m", free: 1 << 40, writing: .failed("the file system is read-only"), kind: .local),
        clock: .init(keeping: .unsynchronized), missingScripts: [], timeZones: .init(count: 430, host: "UTC"),
        openFiles: 1024, security: .init(hasTLS: true, authorities: 140),
        sockets: DatagramSockets(version4: .routed, version6: .local), libraries: [])

    @Test func theArgumentsAreUnderstood() throws {
        guard case .request(let request) = try DoctorCommand.parse(["--archive", "x", "--json"], in: .made()) else {
            Issue.record("help")
            return
        }
        #expect(request.archive == "x" && request.isJSON)
        #expect(throws: UsageError("'x' is one too many")) { try DoctorCommand.parse(["x"], in: .made()) }
    }

    @Test func eachFindingHasALineAndWhatToDo() {
        let (text, code) = DoctorCommand.run(Diagnosis(Self.bad), isJSON: false, style: .init())
        #expect(code == .unfit)
        let lines = text.split(separator: "\n")
        #expect(lines.count { !$0.hasPrefix(" ") } == 13)
        #expect(lines.first == "ok       processors    2 processors")
        #expect(lines.contains { $0.hasPrefix("warning  clock         nobody keeps it right") })
        #expect(lines.contains("                       → apt install systemd-timesyncd, or chrony"))
        #expect(lines.allSatisfy { $0.count <= 100 } && !text.contains("\u{1b}"))
        let coloured = DoctorCommand.run(Diagnosis(Self.bad), isJSON: false, style: .init(isColoured: true)).text
        #expect(coloured.contains("\u{1b}[1;31mproblem  \u{1b}[0mdisk"))
    }

    @Test func warningsAreNoFailure() {
        var fair = Self.bad
        fair.disk.writing = .notTried
        let (text, code) = DoctorCommand.run(Diagnosis(fair), isJSON: true, style: .init(isColoured: true))
        #expect(code == .success)
        #expect(text.contains("\"level\": \"warning\"") && !text.contains("\u{1b}"))
    }
}
