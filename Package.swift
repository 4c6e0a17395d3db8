// swift-tools-version: 6.2
// The map of callbot: one line a target, with what it may import. Core knows, Shell touches, App decides.
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func named(_ names: [String]) -> [Target.Dependency] { names.map { .byName(name: $0) } }

/// What is true. No I/O, no clock, no C, no unsafe memory: the compiler and `recipes/dev/check-layers` refuse them.
func core(_ name: String, _ imports: [String] = []) -> Target {
    .target(name: name, dependencies: named(imports), path: "Sources/Core/\(name)",
            swiftSettings: strict + [.strictMemorySafety(), .treatAllWarnings(as: .error)])
}

/// What touches the world. Each C library has one Swift owner.
func shell(_ name: String, _ imports: [String] = [], c: [String] = []) -> Target {
    .target(name: name, dependencies: named(imports + c), path: "Sources/Shell/\(name)", swiftSettings: strict)
}

/// What the product is. Never imports C.
/// - Parameter embeds: a folder of files that are built into the program, as `PackageResources`.
func app(_ name: String, _ imports: [String] = [], embeds: String? = nil) -> Target {
    .target(name: name, dependencies: named(imports), path: "Sources/App/\(name)", resources: embeds.map { [.embedInCode($0)] }, swiftSettings: strict)
}

func library(_ name: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig)
}

func tests(_ name: String, _ imports: [String]) -> Target {
    .testTarget(name: name + "Tests", dependencies: named([name] + imports), path: "Tests/\(name)Tests", swiftSettings: strict)
}

let package = Package(
    name: "callbot",
    products: [.executable(name: "callbot", targets: ["callbot"])],
    targets: [
        // Core
        core("MediaTypes"),
        core("JSON"),
        core("RTP", ["MediaTypes"]),
        core("SDP", ["MediaTypes"]),
        core("Reception", ["MediaTypes", "RTP"]),
        core("RoomProtocol", ["MediaTypes", "JSON", "SDP"]),
        core("Composition", ["MediaTypes", "JSON", "RoomProtocol"]),
        core("WebM", ["MediaTypes"]),
        core("RecordingFormat", ["MediaTypes", "JSON", "RoomProtocol"]),
        core("Webhooks", ["MediaTypes"]),
        core("Supervision", ["MediaTypes", "JSON"]),
        core("Calendar", ["MediaTypes"]),
        core("Scheduling", ["MediaTypes", "JSON", "Calendar"]),
        core("Retention", ["MediaTypes"]),

        // Shell
        shell("Logging", ["MediaTypes", "JSON", "EventLoop"]),
        shell("EventLoop", ["MediaTypes"], c: ["CGLib"]),
        shell("WebIO", ["MediaTypes", "EventLoop", "Logging"], c: ["CSoup"]),
        shell("WebServer", ["MediaTypes", "EventLoop"], c: ["CGLib", "CSoup"]),
        shell("Transport", ["MediaTypes", "RTP", "SDP", "Reception", "EventLoop", "Logging"],
              c: ["CNice", "COpenSSL", "CSRTP", "CSCTP"]),
        shell("LocalSocket", ["MediaTypes", "EventLoop"]),
        shell("RoomClient", ["MediaTypes", "SDP", "Reception", "RoomProtocol", "Transport", "WebIO", "EventLoop", "Logging"]),
        shell("MediaEngines", ["MediaTypes"], c: ["COpus", "COgg", "CVPX", "CYUV", "CPango", "CTurboJPEG", "CScale"]),
        shell("Storage", ["MediaTypes"], c: ["CDisk"]),
        shell("Database", ["Storage"], c: ["CSQLite"]),
        shell("WebMReading", ["MediaTypes"], c: ["CWebM"]),
        shell("Processes", ["MediaTypes", "EventLoop"], c: ["CProcess"]),
        shell("HostReading", ["Storage"], c: ["CHost"]),
        shell("TimeZones", ["MediaTypes", "JSON", "Calendar", "Storage"]),

        // App
        app("Capture", ["MediaTypes", "EventLoop", "RoomProtocol", "WebM", "RecordingFormat", "JSON", "Storage"]),
        app("Rendering", ["MediaTypes", "EventLoop", "RoomProtocol", "Composition", "WebM", "RecordingFormat", "JSON", "MediaEngines", "Storage", "WebMReading"]),
        app("Examination", ["MediaTypes", "RoomProtocol", "RecordingFormat", "JSON", "MediaEngines", "Storage", "WebMReading"]),
        app("Playback", ["MediaTypes", "EventLoop", "RoomProtocol", "WebM", "RecordingFormat", "JSON", "Storage", "Examination", "WebServer"], embeds: "Page"),
        app("Archive", ["MediaTypes", "RoomProtocol", "RecordingFormat", "Retention", "JSON", "EventLoop", "Storage", "Database"]),
        app("Recording", ["MediaTypes", "RoomProtocol", "RecordingFormat", "JSON", "Composition", "MediaEngines", "RTP", "Reception", "RoomClient", "Transport", "EventLoop", "LocalSocket", "Logging",
                          "Storage", "Capture", "Rendering", "WebM"]),
        app("Daemon", ["MediaTypes", "Retention", "JSON", "RecordingFormat", "WebIO", "WebServer", "Webhooks", "Archive", "Playback", "Calendar", "Scheduling", "Supervision", "TimeZones", "EventLoop", "LocalSocket", "Logging", "Processes", "Storage"], embeds: "Site/Page"),
        app("Commands", ["MediaTypes", "Composition", "MediaEngines", "JSON", "RoomProtocol", "RecordingFormat", "RoomClient", "Capture", "Recording", "Rendering", "Examination", "EventLoop", "LocalSocket", "Logging", "Storage", "Supervision", "Processes", "Calendar", "Scheduling", "TimeZones", "Daemon", "WebServer", "Playback", "Archive", "Retention", "Database", "WebIO", "Doctor"]),
        app("Doctor", ["MediaTypes", "JSON", "Supervision", "EventLoop", "MediaEngines", "Storage", "HostReading", "Calendar", "TimeZones", "Transport", "WebIO", "Database"]),
        .executableTarget(name: "callbot", dependencies: ["Commands"], path: "Sources/App/callbot", swiftSettings: strict),

        // C libraries
        library("CGLib", pkgConfig: "gio-2.0"),
        library("CNice", pkgConfig: "nice"),
        library("CSoup", pkgConfig: "libsoup-3.0"),
        library("COpenSSL", pkgConfig: "openssl"),
        library("CSRTP", pkgConfig: "libsrtp2"),
        library("CSCTP", pkgConfig: "usrsctp"),
        library("COpus", pkgConfig: "opus"),
        library("COgg", pkgConfig: "ogg"),
        library("CVPX", pkgConfig: "vpx"),
        library("CYUV"),
        library("CDisk"),
        library("CProcess"),
        library("CHost"),
        library("CSQLite", pkgConfig: "sqlite3"),
        library("CPango", pkgConfig: "pangocairo"),
        library("CTurboJPEG", pkgConfig: "libturbojpeg"),
        .target(name: "CScale", path: "Sources/CLibraries/CScale"),
        .target(name: "CWebM", path: "Sources/CLibraries/CWebM", linkerSettings: [.linkedLibrary("webm")]),

        // Tests
        .target(name: "CallbotTesting", dependencies: named(["MediaTypes", "RTP", "Reception"]), path: "Tests/CallbotTesting", swiftSettings: strict),
        .target(name: "MediaTesting", dependencies: named(["MediaTypes", "MediaEngines", "RoomProtocol", "CallbotTesting"]), path: "Tests/MediaTesting", swiftSettings: strict),
        .target(name: "Simulation", dependencies: named(["MediaTypes", "RTP", "Reception", "RoomProtocol", "RecordingFormat", "MediaEngines", "Storage", "WebMReading", "Capture", "Rendering", "CallbotTesting"]), path: "Tests/Simulation", swiftSettings: strict),
        .systemLibrary(name: "CAllocator", path: "Tests/CAllocator"),
        .executableTarget(name: "SimulationBench", dependencies: named(["CAllocator", "MediaTypes", "Playback", "CallbotTesting", "Simulation"]), path: "Tests/SimulationBench", swiftSettings: strict),
        .executableTarget(name: "ArchiveBench", dependencies: named(["MediaTypes", "JSON", "RoomProtocol", "RecordingFormat", "EventLoop", "Storage", "Database", "Archive", "CallbotTesting"]), path: "Tests/ArchiveBench", swiftSettings: strict),
        .executableTarget(name: "StubRecorder", path: "Tests/StubRecorder"),
        .executableTarget(name: "StormDaemon", dependencies: named(["MediaTypes", "Scheduling", "EventLoop", "Logging", "Processes", "Daemon"]), path: "Tests/StormDaemon", swiftSettings: strict),
        tests("MediaTypes", []),
        tests("JSON", ["CallbotTesting"]),
        tests("RTP", ["MediaTypes", "CallbotTesting"]),
        tests("SDP", ["MediaTypes", "CallbotTesting"]),
        tests("Reception", ["MediaTypes", "RTP", "CallbotTesting"]),
        tests("Simulation", ["MediaTypes", "RTP", "Reception", "CallbotTesting"]),
        tests("RoomProtocol", ["MediaTypes", "JSON", "SDP", "CallbotTesting"]),
        tests("Composition", ["MediaTypes", "JSON", "RoomProtocol", "CallbotTesting"]),
        tests("WebM", ["MediaTypes", "WebMReading", "CallbotTesting"]),
        tests("RecordingFormat", ["MediaTypes", "JSON", "RoomProtocol", "CallbotTesting"]),
        tests("Webhooks", ["MediaTypes", "CallbotTesting"]),
        tests("Supervision", ["MediaTypes", "JSON", "CallbotTesting"]),
        tests("Calendar", ["MediaTypes", "TimeZones", "CallbotTesting"]),
        tests("Scheduling", ["MediaTypes", "JSON", "Calendar", "TimeZones", "CallbotTesting"]),
        tests("TimeZones", ["MediaTypes", "Calendar", "CallbotTesting"]),
        tests("Retention", ["MediaTypes"]),
        tests("EventLoop", ["MediaTypes"]),
        tests("LocalSocket", ["MediaTypes", "EventLoop", "CallbotTesting"]),
        tests("WebIO", ["MediaTypes", "EventLoop", "Logging", "CGLib", "CSoup"]),
        tests("WebServer", ["MediaTypes", "EventLoop"]),
        tests("Transport", ["MediaTypes", "RTP", "SDP", "Reception", "EventLoop", "Logging", "CallbotTesting"]),
        tests("RoomClient", ["MediaTypes", "RoomProtocol", "Reception", "EventLoop", "Logging", "Transport", "CallbotTesting"]),
        tests("MediaEngines", ["MediaTypes", "COgg", "CYUV", "CTurboJPEG"]),
        tests("Storage", ["MediaTypes", "CallbotTesting"]),
        tests("Processes", ["MediaTypes", "EventLoop", "CallbotTesting"]),
        tests("Database", ["CallbotTesting"]),
        tests("Archive", ["MediaTypes", "JSON", "RoomProtocol", "RecordingFormat", "Retention", "Storage", "Database", "Capture", "CallbotTesting"]),
        tests("Capture", ["MediaTypes", "EventLoop", "RoomProtocol", "WebM", "RecordingFormat", "JSON", "Storage", "WebMReading", "CallbotTesting"]),
        tests("Rendering", ["COpus", "MediaTypes", "RoomProtocol", "Composition", "RecordingFormat", "MediaEngines", "Storage", "WebMReading", "Capture", "WebM", "CallbotTesting", "MediaTesting", "JSON"]),
        tests("Recording", ["MediaTypes", "JSON", "RoomProtocol", "RoomClient", "Transport", "RecordingFormat", "MediaEngines", "Capture", "Examination", "EventLoop", "Storage", "WebMReading", "CallbotTesting", "MediaTesting"]),
        tests("HostReading", ["CallbotTesting"]),
        tests("Doctor", ["JSON", "HostReading", "CallbotTesting"]),
        tests("Daemon", ["MediaTypes", "JSON", "WebServer", "Playback", "Calendar", "Scheduling", "Supervision", "RoomProtocol", "RecordingFormat", "Retention", "EventLoop", "LocalSocket", "Logging", "Processes", "Storage", "CallbotTesting"]),
        tests("Playback", ["MediaTypes", "JSON", "RoomProtocol", "WebM", "RecordingFormat", "Storage", "WebMReading", "WebServer", "CallbotTesting"]),
        tests("Commands", ["MediaTypes", "Scheduling", "Daemon", "Doctor", "HostReading", "WebServer", "CallbotTesting", "Capture", "Storage", "JSON", "Composition", "MediaEngines", "Rendering", "RoomProtocol", "RecordingFormat", "Recording", "RoomClient", "EventLoop", "LocalSocket", "Logging", "Archive", "Retention"]),
    ],
    cxxLanguageStandard: .cxx17
)

// The sanitizers build all there is. With CALLBOT_PARTS=Core that is the tests of the Core, and what they need.
if Context.environment["CALLBOT_PARTS"] == "Core" {
    let all = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed: Set<String> = []
    var open = package.targets.filter { $0.path?.hasPrefix("Sources/Core/") ?? false }.map { $0.name + "Tests" }
    while let name = open.popLast() {
        guard let target = all[name], needed.insert(name).inserted else { continue }
        open += target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
