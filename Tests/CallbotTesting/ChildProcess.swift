import Glibc

/// A program that runs beside a test. It has nothing to read, and what it says of its errors is thrown away.
package struct ChildProcess {
    package struct NotStarted: Error { package let words: [String] }

    private let identifier: pid_t

    /// Starts it.
    /// - Parameters:
    ///   - words: its path, or its name if it is to be looked for in `PATH`; and its arguments.
    ///   - output: the file that gets what it writes.
    package init(_ words: [String], output: String = "/dev/null") throws {
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The test runner's threads block signals, and a child inherits that: it would never hear SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child: pid_t = 0
        guard let program = pointers[0],
            posix_spawnp(&child, program, &actions, &attributes, &pointers, environ) == 0
        else {
            throw NotStarted(words: words)
        }
        identifier = child
    }

    /// Ends it, and waits for that.
    package func stop() {
        kill(identifier, SIGTERM)
        waitpid(identifier, nil, 0)
    }

    /// Waits until it ends by itself.
    /// - Returns: whether it did so with exit code 0.
    package func succeeds() -> Bool {
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        return status == 0
    }
}
