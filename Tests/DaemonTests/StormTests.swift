import Calendar
import CallbotTesting
import EventLoop
import Glibc
import JSON
import LocalSocket
import MediaTypes
import Processes
import Scheduling
import Storage
import Testing

@testable import Daemon

/// A daemon as a process of its own, with stubs for recorders, by the hundred.
@Suite(.serialized) struct StormTests {
    private let temporary: TemporaryFolder
    private let programs: String
    private var place: StatePlace { StatePlace(temporary.path + "/state") }
    private var daemonLog: String { temporary.path + "/daemon.log" }
    private var stubLog: String { temporary.path + "/stub.log" }

    init() throws {
        temporary = try TemporaryFolder(inMemory: true)
        programs = Folder.parent(of: try #require(Folder.resolved("/proc/self/exe")))
        try place.prepare()
    }

    private func start(most: Int) async throws -> ProcessIdentity {
        let before = lines(of: daemonLog).count { $0.contains("the daemon is there") }
        var launch = ProgramLaunch(
            programs + "/StormDaemon", [place.folder, programs + "/StubRecorder", String(most)], log: daemonLog)
        launch.environment = ["STUB_LOG=\(stubLog)"]
        let process = try launch.start()
        try await eventually { lines(of: daemonLog).count { $0.contains("the daemon is there") } > before }
        return process
    }

    private func end(_ process: ProcessIdentity, _ signal: Int32) {
        kill(process.number, signal)
        var status: Int32 = 0
        waitpid(process.number, &status, 0)
    }

    private func lines(of path: String) -> [Substring] {
        String(decoding: (try? SmallFile.read(path)) ?? [], as: UTF8.self).split(separator: "\n")
    }

    private func ask(_ request: DaemonRequest) throws -> DaemonAnswer? {
        let line = try LocalClient.ask(
            request.json.compactUTF8, in: place.folder, named: StatePlace.socket, patience: .seconds(60))
        return DaemonAnswer(try JSONValue(parsing: line))
    }

    private func eventually(_ isSo: () -> Bool) async throws {
        for _ in 0..<6000 {
            if isSo() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("it never came to be so: \(lines(of: daemonLog).suffix(5))")
    }

    private var runs: [String] { (try? Folder.entries(place.folder + "/runs")) ?? [] }

    /// A thousand begin and end within seconds, and the daemon is killed in the middle: each is begun, ends, and is told of; none
    /// is there twice; nothing is left.
    @Test func aThousandComeAndGo() async throws {
        var daemon = try await start(most: 10_000)
        var started: [String] = []
        for number in 0..<1000 {
            if number == 450 {
                end(daemon, SIGKILL)
                daemon = try await start(most: 10_000)
            }
            let script = ["stub://run", "stub://exit/0/300", "stub://crash", "stub://run"][number % 4]
            guard case .done(let facts)? = try ask(.start(arguments: [script], name: "r\(number)", duration: nil)),
                let run = facts["run"]?.string
            else {
                Issue.record("\(number) was refused")
                return
            }
            started.append(run)
            // Some at once, and some after others have begun; what has ended by itself is not there any more.
            for stopped in [number % 8 == 3 ? number : nil, number % 8 == 7 ? number - 7 : nil].compactMap(\.self) {
                _ = try ask(.stop(run: started[stopped]))
            }
        }
        for run in started { _ = try ask(.stop(run: run)) }
        try await eventually { runs.isEmpty }
        end(daemon, SIGTERM)

        #expect(Set(started).count == 1000)
        let told = lines(of: daemonLog).filter { $0.contains("a run is over") }.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("run=") }.map { String($0.dropFirst(4)) }
        }
        #expect(Set(told) == Set(started))
        // Whom the killed daemon had told of already may be told of once more.
        #expect(told.count <= 1010)
        var alive: [Substring: Int] = [:]
        var processes: [Int32] = []
        for line in lines(of: stubLog) {
            let words = line.split(separator: " ")
            if words[0] == "start" {
                alive[words[1], default: 0] += 1
                processes.append(Int32(words[2]) ?? 0)
            }
        }
        // A run that was ended before its stub had begun to write has no line.
        #expect(alive.count > 700 && Set(alive.keys.map(String.init)).isSubset(of: started))
        #expect(alive.allSatisfy { $0.value <= 2 })
        #expect(processes.allSatisfy { ProcessIdentity(of: $0) == nil }, "an orphan runs on")
        #expect(!Folder.exists(place.folder + "/" + StatePlace.socket))
        // Their logs are kept for a while.
        let kept = try Folder.entries(place.folder + "/ended").count
        #expect(kept >= 500 && kept < 600)
    }

    /// Five hundred are due in the same second, and forty may run: whoever is refused is told why.
    @Test func whoIsRefusedIsToldWhy() async throws {
        let due = HostClock.wallTime() + .seconds(4)
        let timing = try Schedule.Timing(spelled: String(due.iso8601.prefix(19)) + "Z")
        let store = ScheduleStore(place)
        for number in 0..<500 {
            try store.put(
                Schedule(
                    id: ScheduleID("s\(number)"), timing: timing, zone: "UTC", recipe: "stub://run",
                    duration: .seconds(120)))
        }
        let daemon = try await start(most: 40)
        try await eventually { lines(of: place.history).count == 460 }
        let history = HistoryLog.read(place, last: 1000)
        for line in history {
            #expect(line["outcome"]?.string == "refused")
            #expect(line["text"]?.string == "refused: 40 recordings run already, and no more than 40 may")
        }
        try await eventually { lines(of: stubLog).count == 40 }
        for run in runs { _ = try ask(.stop(run: run)) }
        try await eventually { lines(of: place.history).count == 500 }
        let ran = HistoryLog.read(place, last: 1000).filter { $0["outcome"]?.string == "ran" }
        #expect(ran.count == 40)
        #expect(Set(HistoryLog.read(place, last: 1000).map { $0["event"]?["schedule"]?.string }).count == 500)
        end(daemon, SIGTERM)
        #expect(runs.isEmpty)
    }

    /// What was due while no daemon ran: what is left of it is recorded, unless its schedule says that it is missed then.
    @Test func whatWasDueMeanwhileIsSettled() async throws {
        let (now, hour) = (HostClock.wallTime(), Duration.seconds(3600))
        let due = now + .seconds(-600)
        let timing = try Schedule.Timing(spelled: String(due.iso8601.prefix(19)) + "Z")
        let store = ScheduleStore(place)
        // As a daemon left it that ended an hour ago.
        var scheduler = Scheduler()
        for policy in [MissedRunPolicy.remainder, .skip] {
            let schedule = Schedule(
                id: ScheduleID(policy == .skip ? "strict" : "lenient"), timing: timing, zone: "UTC",
                recipe: "stub://run", duration: hour, missedRuns: policy)
            try store.put(schedule)
            scheduler.handle(
                .added(schedule, zone: FixedOffset.utc), at: .init(wall: now + .seconds(-3600), steady: HostClock.now())
            )
        }
        try AtomicFile.replace(place.scheduler, with: scheduler.json.compactUTF8)
        var daemon = try await start(most: 10)
        try await eventually { lines(of: stubLog).count == 1 && lines(of: place.history).count == 1 }
        let entry = try #require(HistoryLog.read(place, last: 1).first)
        #expect(entry["event"]?["schedule"]?.string == "strict")
        #expect(entry["text"]?.string == "missed: the daemon was not running when it was due")
        // The same once more: it is settled, and who runs is found again.
        end(daemon, SIGKILL)
        daemon = try await start(most: 10)
        #expect(lines(of: stubLog).count == 1 && runs.count == 1)
        for run in runs { _ = try ask(.stop(run: run)) }
        try await eventually { lines(of: place.history).count == 2 }
        end(daemon, SIGTERM)
    }
}
