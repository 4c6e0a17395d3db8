import Calendar
import JSON
import MediaTypes
package import Scheduling
package import Storage

/// The schedules on disk, a file each: `<state>/schedules/standup.json`. Whoever changes one writes its file; the daemon
/// follows. A file may also be made by hand: it is JSON5, its id is its name, and a path in it counts from its folder.
package struct ScheduleStore: Sendable {
    /// A file that is no schedule, and why.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let path: String
        package let reason: String
        package var description: String { "\(path): \(reason)" }
    }

    private let folder: String

    package init(_ place: StatePlace) { folder = place.schedules }

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

    package func contains(_ id: ScheduleID) -> Bool { Folder.exists(path(of: id)) }

    package func put(_ schedule: Schedule) throws(StorageError) {
        try Folder.createMissing(folder)
        try AtomicFile.replace(path(of: schedule.id), with: Array(schedule.json.pretty.utf8))
    }

    package func remove(_ id: ScheduleID) { SmallFile.remove(path(of: id)) }

    package func schedule(_ id: ScheduleID) -> Result<Schedule, Fault> { read("\(id).json") }

    private var names: [String] {
        ((try? Folder.entries(folder)) ?? []).filter { $0.hasSuffix(".json") || $0.hasSuffix(".json5") }
    }

    /// The files, and what the system says of each: whether something has changed is seen without reading them.
    package var files: [String: FileStatus] {
        var files: [String: FileStatus] = [:]
        for name in names { files[name] = FileStatus("\(folder)/\(name)") }
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
        return found
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
            return fault("line \(error.line), column \(error.column): \(error.reason)")
        } catch {
            return fault("\(error)")
        }
    }
}
