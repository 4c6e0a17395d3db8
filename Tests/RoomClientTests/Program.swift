import Foundation

/// A program of the tree's `recipes/rooms`, run for a test.
struct Program {
    struct Failed: Error { let words: [String] }

    private static let rooms = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "recipes/rooms").path

    private let process: pid_t

    /// Starts it, with its output thrown away.
    init(_ words: String...) throws { process = try Self.spawn(words, output: "/dev/null") }

    /// Ends it, and waits for that.
    func stop() {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// Runs it to its end, and gives what it wrote.
    @discardableResult
    static func output(_ words: [String]) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "callbot-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = try spawn(words, output: file.path)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        guard status == 0 else { throw Failed(words: words) }
        return try Data(contentsOf: file)
    }

    private static func spawn(_ words: [String], output: String) throws -> pid_t {
        var pointers = ([rooms + "/" + words[0]] + words.dropFirst()).map { strdup($0) } + [nil]
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
            posix_spawn(&child, program, &actions, &attributes, &pointers, environ) == 0
        else {
            throw Failed(words: words)
        }
        return child
    }
}
