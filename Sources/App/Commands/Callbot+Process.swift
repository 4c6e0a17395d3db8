import Glibc
import Recording

extension Callbot {
    /// The process's `main`: never comes back.
    package static func main() async -> Never {
        let callbot = Callbot(
            environment: .process, record: { _, _, _ in .storageFailed("recording is not there yet") },
            output: { write($0, to: STDOUT_FILENO) }, errorOutput: { write($0, to: STDERR_FILENO) })
        exit(await callbot.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // Nowhere to complain to when this fails.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
