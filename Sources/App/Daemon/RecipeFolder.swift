package import Scheduling
import Storage

/// A folder of recipes, each of which may say with the key `schedule` when it is to be recorded. Its schedule's id is the file's
/// name.
package struct RecipeFolder: Sendable {
    package let path: String
    private let schedule: @Sendable (_ path: String) -> Result<Schedule?, ScheduleStore.Fault>

    /// - Parameter schedule: reads what a recipe says; nil for one that does not say when.
    package init(
        _ path: String, schedule: @escaping @Sendable (_ path: String) -> Result<Schedule?, ScheduleStore.Fault>
    ) {
        self.path = path
        self.schedule = schedule
    }

    /// The recipes that there are.
    package var paths: [String] {
        let names = ((try? Folder.entries(path)) ?? []).filter { $0.hasSuffix(".json5") && !$0.hasPrefix(".") }
        // Whoever opens a pipe waits for somebody to write.
        return names.map { "\(path)/\($0)" }.filter { Self.status(of: $0)?.kind == .file }
    }

    /// What the system says of a recipe, which may be a link to where it is.
    static func status(of path: String) -> FileStatus? { FileStatus(Folder.resolved(path) ?? path) }

    func read(_ path: String) -> Result<Schedule?, ScheduleStore.Fault> {
        schedule(path).flatMap { schedule in
            guard let schedule, !ScheduleStore.isGood(schedule.id) else { return .success(schedule) }
            return .failure(.init(path: path, reason: "its name is no id: letters, digits, - and _"))
        }
    }

    /// The file's name up to its first full stop.
    package static func id(of path: String) -> ScheduleID {
        ScheduleID(String((path.split(separator: "/").last ?? "").prefix { $0 != "." }))
    }
}
