import CallbotTesting
import Glibc
import Scheduling
import Storage
import Testing

@testable import Daemon

@Suite struct ScheduleStoreTests {
    private let temporary: TemporaryFolder
    private let store: ScheduleStore
    private var place: StatePlace { StatePlace(temporary.path + "/state") }
    private var recipes: String { temporary.path + "/recipes" }

    init() throws {
        temporary = try TemporaryFolder()
        try Folder.createMissing(temporary.path + "/recipes")
        // A recipe here is a cron expression, or `!` for one that is wrong, or nothing.
        let folder = RecipeFolder(temporary.path + "/recipes") { path in
            let text = String(decoding: (try? SmallFile.read(path)) ?? [], as: UTF8.self)
            if text.isEmpty { return .success(nil) }
            guard let timing = try? Schedule.Timing(spelled: text) else {
                return .failure(.init(path: path, position: "7:3", reason: "it is wrong"))
            }
            return .success(Schedule(id: RecipeFolder.id(of: path), timing: timing, zone: "UTC", recipe: path))
        }
        store = ScheduleStore(StatePlace(temporary.path + "/state"), recipes: folder)
        try place.prepare()
    }

    private func write(_ name: String, _ text: String) throws {
        try AtomicFile.replace(recipes + "/" + name, with: Array(text.utf8))
    }

    @Test func recipesAreSchedulesOfTheirNames() throws {
        try write("standup.json5", "@daily")
        try write("plain.json5", "")
        try write("wrong.json5", "!")
        try write("notes.txt", "@daily")
        let (schedules, faults) = store.all()
        #expect(schedules.map(\.id.value) == ["standup"])
        #expect(faults.map(\.description) == ["\(recipes)/wrong.json5:7:3: it is wrong"])
        #expect(store.recipe(of: ScheduleID("standup")) == recipes + "/standup.json5")
        #expect(store.recipe(of: ScheduleID("plain")) == nil && !store.contains(ScheduleID("plain")))
        #expect(store.contains(ScheduleID("standup")))
    }

    @Test func aChangeIsSeenWithoutReading() throws {
        try write("standup.json5", "@daily")
        let before = store.files
        #expect(store.files == before)
        try write("standup.json5", "@hourly")
        let changed = store.files
        #expect(changed != before)
        SmallFile.remove(recipes + "/standup.json5")
        #expect(store.files != changed && store.all().schedules.isEmpty)
    }

    /// Nobody writes to the user's file.
    @Test func aPauseIsKeptInTheState() throws {
        try write("standup.json5", "@daily")
        var schedule = try store.schedule(ScheduleID("standup")).get()
        let before = store.files
        schedule.isPaused = true
        try store.setPaused(schedule)
        #expect(store.files != before)
        #expect(try store.schedule(ScheduleID("standup")).get().isPaused && store.all().schedules[0].isPaused)
        #expect(try SmallFile.read(recipes + "/standup.json5") == Array("@daily".utf8))
        schedule.isPaused = false
        try store.setPaused(schedule)
        #expect(!store.all().schedules[0].isPaused)
    }

    @Test func whatWasAddedByHandGoesBefore() throws {
        try write("standup.json5", "@daily")
        try store.put(
            Schedule(id: ScheduleID("standup"), timing: try .init(spelled: "@yearly"), zone: "UTC", recipe: "/r"))
        let (schedules, faults) = store.all()
        #expect(schedules.map(\.recipe) == ["/r"] && faults.count == 1)
        #expect(faults[0].reason.hasPrefix("there is a schedule 'standup' already"))
        #expect(store.recipe(of: ScheduleID("standup")) == nil)
        store.remove(ScheduleID("standup"))
        #expect(store.all().faults.isEmpty && store.all().schedules[0].recipe == recipes + "/standup.json5")
    }

    @Test func aNameThatIsNoIdIsSaid() throws {
        try write("a b.json5", "@daily")
        #expect(store.all().faults.map(\.reason) == ["its name is no id: letters, digits, - and _"])
    }

    /// A link is followed to where the recipe is, and a pipe is left alone: whoever opens it waits.
    @Test func aRecipeMayBeALink() throws {
        let elsewhere = temporary.path + "/elsewhere"
        try AtomicFile.replace(elsewhere, with: Array("@daily".utf8))
        symlink(elsewhere, recipes + "/linked.json5")
        mkfifo(recipes + "/pipe.json5", 0o600)
        #expect(store.all().schedules.map(\.id.value) == ["linked"] && store.all().faults.isEmpty)
        let before = store.files
        try AtomicFile.replace(elsewhere, with: Array("@hourly".utf8))
        #expect(store.files != before)
    }
}
