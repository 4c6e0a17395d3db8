/// The shared libraries that the process has loaded, by the names of their files: some do not tell their version.
package enum LoadedLibraries {
    /// File names such as `libnice.so.10.12.0`, sorted.
    package static func read() -> [String] { HostFile.text("/proc/self/maps").map(names(in:)) ?? [] }

    /// From /proc/PID/maps: the path is what follows the fifth field.
    static func names(in maps: String) -> [String] {
        var names: Set<String> = []
        for line in maps.split(separator: "\n") {
            guard let slash = line.firstIndex(of: "/") else { continue }
            let name = line[slash...].split(separator: "/").last.map(String.init) ?? ""
            if name.contains(".so"), !name.hasSuffix(" (deleted)") { names.insert(name) }
        }
        return names.sorted()
    }

    /// What follows `.so.` in the file name of a library: `10.12.0`.
    package static func version(of library: String, among names: [String]) -> String? {
        names.first { $0.hasPrefix(library + ".so.") }.map { String($0.dropFirst(library.count + 4)) }
    }
}
