import Calendar
import JSON
import MediaTypes
package import Scheduling
package import Storage

/// The schedules on disk, a file each: `<state>/schedules/standup.json`. Whoever changes one writes its file; the daemon
/// follows. A file may also be made by hand: it is JSON5, its id is its name, and a path in it counts from its folder.
///
/// Beside them there are recipes that say themselves when they are to be recorded, in a folder of the user's: those are never
/// written to. Which of them are paused is kept here.
package struct ScheduleStore: Sendable {
    /// A file that is no schedule, and why.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let path: String
        /// Where in it, `7:3`; nil for the file as a whole.
        package let position: String?
        package let reason: String

        package init(path: String, position: String? = nil, reason: String) {
            self.path = path
            self.position = position
            self.reason = reason
        }

        package var description: String { "\(path):\(position.map { $0 + ":" } ?? "") \(reason)" }
    }

    private let folder: String
    private let pausedFile: String
    private let recipes: RecipeFolder?

    package init(_ place: StatePlace, recipes: RecipeFolder? = nil) {
        folder = place.schedules
        pausedFile = place.paused
        self.recipes = recipes
    }

    /// Whether an id can be a file's name, and a part of others.
    package static func isGood(_ id: ScheduleID) -> Bool {
        let isGood =
            !id.value.isEmpty && id.value.utf8.count <= 60 && !id.value.hasPrefix(".") && !id.value.hasPrefix("-")
        return isGood
            && id.value.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
            }
    }

    private func path(of id: ScheduleID) -> String { "\(folder)/\(id).json" }

    package func contains(_ id: ScheduleID) -> Bool { Folder.exists(path(of: id)) || recipe(of: id) != nil }

    /// The recipe that says itself when it is to be recorded; nil for a schedule that somebody has added.
    package func recipe(of id: ScheduleID) -> String? {
        guard let recipes, !Folder.exists(path(of: id)) else { return nil }
        return recipes.paths.first { path in
            guard RecipeFolder.id(of: path) == id else { return false }
            if case .success(nil) = recipes.read(path) { return false }
            return true
        }
    }

    /// Keeps whether a schedule is paused.
    package func setPaused(_ schedule: Schedule) throws(StorageError) {
        guard recipe(of: schedule.id) != nil else { return try put(schedule) }
        var ids = paused
        if schedule.isPaused { ids.insert(schedule.id.value) } else { ids.remove(schedule.id.value) }
        try Folder.createMissing(folder)
        try AtomicFile.replace(pausedFile, with: JSONValue.array(ids.sorted().map { .string($0) }).compactUTF8)
    }

    private var paused: Set<String> {
        let json = (try? SmallFile.read(pausedFile)).flatMap { try? JSONValue(parsing: $0) }
        return Set((json?.array ?? []).compactMap(\.string))
    }

    package func put(_ schedule: Schedule) throws(StorageError) {
        try Folder.createMissing(folder)
        try AtomicFile.replace(path(of: schedule.id), with: Array(schedule.json.pretty.utf8))
    }

    package func remove(_ id: ScheduleID) { SmallFile.remove(path(of: id)) }

    package func schedule(_ id: ScheduleID) -> Result<Schedule, Fault> {
        guard let path = recipe(of: id), let recipes else { return read("\(id).json") }
        return recipes.read(path).flatMap { schedule in
            guard var schedule else { return .failure(Fault(path: path, reason: "it has no key schedule")) }
            schedule.isPaused = paused.contains(id.value)
            return .success(schedule)
        }
    }

    private var names: [String] {
        ((try? Folder.entries(folder)) ?? []).filter { $0.hasSuffix(".json") || $0.hasSuffix(".json5") }
    }

    /// The files, and what the system says of each: whether something has changed is seen without reading them.
    package var files: [String: FileStatus] {
        var files: [String: FileStatus] = [:]
        for name in names { files[name] = FileStatus("\(folder)/\(name)") }
        for path in recipes?.paths ?? [] { files[path] = RecipeFolder.status(of: path) }
        if recipes != nil { files[pausedFile] = FileStatus(pausedFile) }
        return files
    }

    /// All that there are, and the files that are none.
    package func all() -> (schedules: [Schedule], faults: [Fault]) {
        var found: (schedules: [Schedule], faults: [Fault]) = ([], [])
        for name in names {
            switch read(name) {
            case .success(let schedule): found.schedules.append(schedule)
            case .failure(let fault): found.faults.append(fault)
            }
        }
        addRecipes(to: &found)
        return found
    }

    private func addRecipes(to found: inout (schedules: [Schedule], faults: [Fault])) {
        guard let recipes else { return }
        let added = Set(found.schedules.map(\.id))
        let paused = paused
        for path in recipes.paths {
            switch recipes.read(path) {
            case .success(nil): break
            case .success(var schedule?):
                guard !added.contains(schedule.id) else {
                    found.faults.append(
                        Fault(
                            path: path,
                            reason:
                                "there is a schedule '\(schedule.id)' already, of 'callbot schedule add': remove that one, or rename this file"
                        ))
                    continue
                }
                schedule.isPaused = paused.contains(schedule.id.value)
                found.schedules.append(schedule)
            case .failure(let fault): found.faults.append(fault)
            }
        }
    }

    private func read(_ name: String) -> Result<Schedule, Fault> {
        let path = "\(folder)/\(name)"
        func fault(_ reason: String) -> Result<Schedule, Fault> { .failure(Fault(path: path, reason: reason)) }
        let bytes: [UInt8]
        do { bytes = try SmallFile.read(path, limit: 1 << 20) } catch { return fault(error.reason) }
        do {
            var json = try JSONNode(parsing: bytes, as: .json5).value
            let id = ScheduleID(String(name.prefix { $0 != "." }))
            guard Self.isGood(id) else { return fault("its name is no id: letters, digits, - and _") }
            json["id"] = .string(id.value)
            for key in ["recipe", "calendar"] {
                // A path from where the file is; an address has a scheme.
                guard let text = json[key]?.string, !text.hasPrefix("/"), !text.contains("://") else { continue }
                json[key] = .string("\(folder)/\(text)")
            }
            return .success(try Schedule(json))
        } catch let error as SchedulingError {
            return fault(error.description)
        } catch let error as JSONError {
            return .failure(Fault(path: path, position: "\(error.line):\(error.column)", reason: error.reason))
        } catch {
            return fault("\(error)")
        }
    }
}
