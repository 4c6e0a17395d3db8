import Calendar
import Database
import EventLoop
import HostReading
import MediaEngines
import MediaTypes
import Storage
import TimeZones
import Transport
import WebIO

extension Measurements {
    /// Measures this machine, which takes about three seconds.
    /// - Parameter archive: where recordings are kept, or would be.
    package static func ofThisMachine(archive: String) -> Measurements {
        let pictures = try? PictureCost.measured(for: .seconds(2))
        let zones = SystemTimeZones()
        var host: (name: String?, failure: String?)
        do { host = (try zones.hostZone().name, nil) } catch { host = (nil, error.description) }
        let painter = LabelPainter()
        return Measurements(
            processors: .read(), memory: .read(), pictures: pictures, disk: .measured(for: archive),
            clock: .measured(),
            missingScripts: WritingSystem.allCases.filter { painter.missingGlyphs(in: $0.sample) > 0 },
            timeZones: TimeZones(count: zones.names().count, host: host.name, failure: host.failure),
            openFiles: OpenFileLimit.read(),
            security: Security(hasTLS: WebLibraries.hasTLS, authorities: TrustedCertificates.count()),
            sockets: .read(), libraries: libraries())
    }

    /// Those that tell their version, and the others by the names of their files.
    private static func libraries() -> [Library] {
        let told =
            MediaLibraries.versions + TransportLibraries.versions + WebLibraries.versions
            + DatabaseLibraries.versions
        let files = LoadedLibraries.read()
        let others = ["libnice", "libusrsctp", "libogg", "libyuv", "libwebm", "libturbojpeg"]
        // Some say their name once more before it.
        return told.map { Library($0.name, $0.version.split(separator: " ").last.map(String.init) ?? "") }
            + others.compactMap { name in
                LoadedLibraries.version(of: name, among: files).map { Library(name, $0) }
            }
    }
}

extension Measurements.Clock {
    /// Reads the steady clock often enough to see it go back where processors' counters differ.
    static func measured(readings: Int = 200_000) -> Self {
        var latest = HostClock.now()
        var backwards = Duration.zero
        for _ in 0..<readings {
            let now = HostClock.now()
            backwards = max(backwards, latest - now)
            latest = now
        }
        return Self(keeping: .read(), backwards: backwards)
    }
}
