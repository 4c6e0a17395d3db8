package import HostReading

/// What was measured of a machine: all that a diagnosis is made from.
package struct Measurements: Hashable, Sendable {
    /// What pictures cost one processor. Nil in `Measurements` where the codec does not work.
    package struct PictureCost: Hashable, Sendable {
        /// Encoding one picture of 1280x720 that moves everywhere.
        package var encoding: Duration
        /// Decoding one picture of 640x360, and drawing it smaller.
        package var showing: Duration

        package init(encoding: Duration, showing: Duration) {
            self.encoding = encoding
            self.showing = showing
        }
    }

    package struct Disk: Hashable, Sendable {
        package enum Writing: Hashable, Sendable {
            /// Bytes a second until they are on the disk, and the longest that a few bytes took to get there.
            case measured(bytesPerSecond: Double, sync: Duration)
            /// Nothing can be written: why.
            case failed(String)
            /// Not tried, since so little is free.
            case notTried
        }

        /// The archive, or the folder above it where it is to be made.
        package var folder: String
        package var free: Int64
        package var writing: Writing
        package var kind: FileSystemKind

        package init(folder: String, free: Int64, writing: Writing, kind: FileSystemKind) {
            self.folder = folder
            self.free = free
            self.writing = writing
            self.kind = kind
        }
    }

    package struct Clock: Hashable, Sendable {
        package var keeping: ClockKeeping
        /// How far the steady clock went back at most between two readings of it.
        package var backwards: Duration

        package init(keeping: ClockKeeping, backwards: Duration = .zero) {
            self.keeping = keeping
            self.backwards = backwards
        }
    }

    package struct TimeZones: Hashable, Sendable {
        package var count: Int
        /// What the host's own is; nil where it cannot be read, as `failure` says.
        package var host: String?
        package var failure: String?

        package init(count: Int, host: String?, failure: String? = nil) {
            self.count = count
            self.host = host
            self.failure = failure
        }
    }

    package struct Security: Hashable, Sendable {
        /// Whether TLS can be done at all.
        package var hasTLS: Bool
        /// Certificates of authorities that the system trusts.
        package var authorities: Int

        package init(hasTLS: Bool, authorities: Int) {
            self.hasTLS = hasTLS
            self.authorities = authorities
        }
    }

    package struct Library: Hashable, Sendable {
        package var name: String
        package var version: String

        package init(_ name: String, _ version: String) {
            self.name = name
            self.version = version
        }
    }

    package var processors: HostProcessors
    /// Nil where the kernel does not tell.
    package var memory: HostMemory?
    package var pictures: PictureCost?
    package var disk: Disk
    package var clock: Clock
    /// The scripts that no font of the machine has.
    package var missingScripts: [WritingSystem]
    package var timeZones: TimeZones
    package var openFiles: Int
    package var security: Security
    package var sockets: DatagramSockets
    package var libraries: [Library]

    package init(
        processors: HostProcessors, memory: HostMemory?, pictures: PictureCost?, disk: Disk, clock: Clock,
        missingScripts: [WritingSystem], timeZones: TimeZones, openFiles: Int, security: Security,
        sockets: DatagramSockets, libraries: [Library]
    ) {
        self.processors = processors
        self.memory = memory
        self.pictures = pictures
        self.disk = disk
        self.clock = clock
        self.missingScripts = missingScripts
        self.timeZones = timeZones
        self.openFiles = openFiles
        self.security = security
        self.sockets = sockets
        self.libraries = libraries
    }
}
