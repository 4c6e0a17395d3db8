import Daemon
import JSON
import Scheduling
import Storage

/// The key `schedule` of a recipe: `{ when: "0 9 * * MON-FRI", zone: "Europe/Berlin", duration: "45m" }`. A daemon that is given the
/// recipe's folder records at these times.
enum ScheduleKey {
    /// - Parameter path: of the recipe, whose name is the schedule's id.
    static func schedule(
        _ node: JSONNode, ofRecipe path: String, in environment: Environment
    ) throws(JSONError) -> Schedule {
        var request = ScheduleCommand.Request()
        var timing: Schedule.Timing?
        try node.apply(
            [ScheduleCommand.properties], to: &request, in: environment,
            others: [
                // Read below: they have a timing to set.
                "when": { (_, _, _) throws(JSONError) in }, "calendar": { (_, _, _) throws(JSONError) in },
            ])
        if let when = node["when"] { timing = try Self.timing(when) }
        if let calendar = node["calendar"] {
            guard timing == nil else { throw calendar.error("a schedule has when or calendar, not both") }
            guard case .string(let text) = calendar.value, !text.isEmpty else {
                throw calendar.error("calendar must be the path of a file such as \"team.ics\"")
            }
            timing = .calendar(source: Folder.absolute(environment.resolve(text)))
        }
        guard let timing else { throw node.error("a schedule needs when, such as \"0 9 * * MON-FRI\", or calendar") }
        do {
            return try ScheduleCommand.schedule(RecipeFolder.id(of: path), timing, Folder.absolute(path), request)
        } catch {
            throw node.error(error.sentence)
        }
    }

    private static func timing(_ node: JSONNode) throws(JSONError) -> Schedule.Timing {
        let nodes = node.array ?? [node]
        guard !nodes.isEmpty else { throw node.error("when has no time in it") }
        var timings: [Schedule.Timing] = []
        for node in nodes {
            guard case .string(let text) = node.value else {
                throw node.error("when cannot be \(node.value.kind): write \"0 9 * * MON-FRI\" or \"2026-12-01 09:00\"")
            }
            do {
                let timing = try Schedule.Timing(spelled: text)
                guard timing.everMatches else { throw node.error("'\(text)' never is: there is no such day") }
                timings.append(timing)
            } catch let error as SchedulingError {
                throw node.error(error.description)
            } catch let error as JSONError {
                throw error
            } catch {
                throw node.error("\(error)")
            }
        }
        return timings.count == 1 ? timings[0] : .any(timings)
    }
}
