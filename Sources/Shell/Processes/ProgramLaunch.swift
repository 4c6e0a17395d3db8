import CProcess
import EventLoop
import Glibc

/// A program to be run as a process of its own: in its own session, with nothing to read, none of this process's
/// descriptors, and no signal blocked. It runs on when this process ends.
package struct ProgramLaunch: Sendable {
    package var path: String
    /// Without the program's name.
    package var arguments: [String]
    /// `NAME=value`; nil for this process's own.
    package var environment: [String]?
    /// The file to whose end it writes what it says, on both outputs; made if it is missing, for its owner alone.
    package var log: String
    /// Where it begins; nil: where this process is.
    package var folder: String?
    /// Whether everybody else goes first: niceness 19, and the disk only when nobody else wants it.
    package var isInBackground = false

    package init(_ path: String, _ arguments: [String], log: String) {
        self.path = path
        self.arguments = arguments
        self.log = log
    }

    /// Starts it.
    package func start() throws(ProcessError) -> ProcessIdentity {
        guard isInBackground else { return try spawn().get() }
        // A process begins with the priority of the thread that starts it, which may not have its own back afterwards.
        let launched = Locked(
            Result<ProcessIdentity, ProcessError>.failure(ProcessError("start \(path)", errno: EAGAIN)))
        ShortThread {
            BackgroundPriority.takeForThread()
            let result = spawn()
            launched.withLock { $0 = result }
        }?.join()
        return try launched.withLock { $0 }.get()
    }

    private func spawn() -> Result<ProcessIdentity, ProcessError> {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { $0.map { strdup($0) } + [nil] }
        defer {
            for word in words { free(word) }
            for variable in variables ?? [] { free(variable) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // What this process ignores, a program should hear of.
        var heard = sigset_t()
        sigemptyset(&heard)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&heard, signal) }
        posix_spawnattr_setsigdefault(&attributes, &heard)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | cb_spawn_in_new_session())
        var number: pid_t = 0
        let code =
            if var variables {
                posix_spawn(&number, path, &actions, &attributes, &words, &variables)
            } else {
                posix_spawn(&number, path, &actions, &attributes, &words, environ)
            }
        guard code == 0 else { return .failure(ProcessError("start \(path)", errno: code)) }
        // Not reaped yet, so that the number is still its own, even if it has ended already.
        let start = ProcessTable.fields(of: number).flatMap { UInt64($0[19]) } ?? 0
        return .success(ProcessIdentity(number: number, start: start))
    }
}
