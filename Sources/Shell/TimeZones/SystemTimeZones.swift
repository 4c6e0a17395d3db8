package import Calendar
import Glibc
import JSON
import Storage

/// The zones of the host's zone database, and which of them is the host's own.
///
/// The files are read here and not through `localtime_r`, which knows one zone a process and keeps it in global state,
/// nor through Foundation, which costs every command its start-up time.
package final class SystemTimeZones: Sendable {
    private let folder: String
    private let environmentZone: String?
    private let localtime: String

    /// By default what glibc itself takes: `TZDIR` or /usr/share/zoneinfo, `TZ`, /etc/localtime.
    package init(folder: String? = nil, environmentZone: String? = nil, localtime: String = "/etc/localtime") {
        self.folder = folder ?? Self.variable("TZDIR") ?? "/usr/share/zoneinfo"
        self.environmentZone = environmentZone ?? Self.variable("TZ")
        self.localtime = localtime
    }

    /// The rules of a zone by its name in the database, `Europe/Berlin`; ASCII case counts as it does in file names.
    package func zone(named name: String) throws(UnknownTimeZone) -> TransitionTable {
        guard Self.isName(name) else { throw unknown(name) }
        let bytes: [UInt8]
        do { bytes = try SmallFile.read(folder + "/" + name, limit: 1 << 20) } catch {
            if error.cause == .permission { throw UnknownTimeZone(name: name, reason: .unreadable(error.reason)) }
            throw unknown(name)
        }
        do { return try TransitionTable(name: name, zoneFile: bytes) } catch .noZoneFile { throw unknown(name) } catch {
            throw UnknownTimeZone(name: name, reason: .unreadable(error.description))
        }
    }

    /// The zone of the host: what `TZ` says, a name or a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; or else
    /// /etc/localtime; or else UTC. A `TZ` that is neither is an error.
    package func hostZone() throws(UnknownTimeZone) -> any TimeZoneRules {
        if var text = environmentZone {
            if text.hasPrefix(":") { text.removeFirst() }
            if text.isEmpty { return FixedOffset.utc }
            if text.hasPrefix("/") { return try zone(atPath: text, named: name(ofPath: text) ?? text) }
            do { return try zone(named: text) } catch {
                if let rule = POSIXTimeZone(text) { return rule }
                throw error
            }
        }
        guard access(localtime, F_OK) == 0 else { return FixedOffset.utc }
        return try zone(atPath: localtime, named: name(ofPath: localtime) ?? "the host's time zone")
    }

    /// All names in the database, sorted.
    package func names() -> [String] {
        var names: [String] = []
        list(under: "", depth: 0, into: &names)
        return names.sorted()
    }

    private func zone(atPath path: String, named name: String) throws(UnknownTimeZone) -> TransitionTable {
        do {
            return try TransitionTable(name: name, zoneFile: try SmallFile.read(path, limit: 1 << 20))
        } catch let error as StorageError {
            throw UnknownTimeZone(name: path, reason: .unreadable(error.reason))
        } catch {
            throw UnknownTimeZone(name: path, reason: .unreadable("\(error)"))
        }
    }

    /// The name of a zone by where its file is, links followed: /etc/localtime mostly is a link into the database.
    private func name(ofPath path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let target = String(cString: resolved)
        guard let root = realpath(folder, nil) else { return nil }
        defer { free(root) }
        let prefix = String(cString: root) + "/"
        return target.hasPrefix(prefix) ? String(target.dropFirst(prefix.count)) : nil
    }

    private func unknown(_ name: String) -> UnknownTimeZone {
        let names = names()
        guard !names.isEmpty else { return UnknownTimeZone(name: name, reason: .noDatabase(folder)) }
        let wanted = name.lowercased().split(separator: "/").last.map(String.init) ?? ""
        let near = names.filter { $0.lowercased().split(separator: "/").last.map(String.init) == wanted }
        let spelled = Spelling.suggestion(for: name, among: names).map { [$0] } ?? []
        let cities = near.isEmpty && spelled.isEmpty ? cityNames(like: wanted, among: names) : []
        var seen: Set<String> = []
        let suggestions = (spelled + near + cities).filter { seen.insert($0).inserted }
        return UnknownTimeZone(name: name, reason: .unknown(suggestions: Array(suggestions.prefix(3))))
    }

    /// Zones whose last part is spelt nearly so: who asks for `Berln` means Europe/Berlin.
    private func cityNames(like wanted: String, among names: [String]) -> [String] {
        let cities = names.map { String($0[($0.lastIndex(of: "/") ?? $0.startIndex)...]) }
        guard let city = Spelling.suggestion(for: "/" + wanted, among: cities) else { return [] }
        return zip(names, cities).filter { $0.1 == city }.map(\.0)
    }

    private func list(under prefix: String, depth: Int, into names: inout [String]) {
        guard depth < 4, let stream = opendir(folder + "/" + prefix) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Other spellings of the same zones, and files that are no zones, begin with a small letter or have a dot.
            guard name.first?.isUppercase == true, !name.contains(".") else { continue }
            let path = prefix.isEmpty ? name : prefix + "/" + name
            var status = stat()
            guard stat(folder + "/" + path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                list(under: path, depth: depth + 1, into: &names)
            } else {
                names.append(path)
            }
        }
    }

    /// Nothing that leads out of the database.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && !name.hasPrefix("/")
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.first != "."
                    && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            }
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
