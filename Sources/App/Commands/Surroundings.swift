import EventLoop
import Glibc
import MediaTypes

/// What a command works with, besides its request.
package struct Surroundings: Sendable {
    /// The command's name, which stands before what it complains of.
    var command: String
    var environment: Environment
    /// The path of the program itself.
    var program: String
    var record: Callbot.Record
    /// The line at the bottom of the terminal; nil where there is no terminal.
    var line: ProgressLine?
    /// Takes signals that ask to stop from now on.
    var watchForStop: @Sendable () -> @Sendable () -> Int32?
    /// The signal that asked to stop; nil while there was none, and where nobody watches.
    var stopSignal: @Sendable () -> Int32? = { nil }
    /// Lets everything else on the machine go first, from now on.
    var stepBack: @Sendable () -> Void
    var standardOutput: @Sendable (String) -> Void
    var standardError: @Sendable (String) -> Void
    /// The width of the terminal that output goes to; nil when it goes elsewhere.
    var columns: Int?
    var now: @Sendable () -> WallTime = HostClock.wallTime

    func output(_ text: String) {
        line?.finish()
        standardOutput(text)
    }

    /// Tells the operator something, a sentence.
    func notice(_ sentence: String) {
        line?.finish()
        standardError("callbot \(command): \(sentence)\n")
    }

    /// Shows how far something is, a line of ASCII.
    func progress(_ text: String) { line?.show(text) }

    /// Shows the share that is done, 0 to 1, and how long it will take.
    func progress(_ share: Double, since begin: MonotonicTime, _ what: String = "") {
        let bar = RenderCommand.progress(share, after: HostClock.now() - begin)
        progress(what.isEmpty ? bar : "\(bar)  \(what)")
    }

    func finishProgress() { line?.finish() }

    /// The exit code of a signal that asked to stop; nil while there was none.
    func stopped() -> ExitCode? { stopSignal().map { $0 == SIGINT ? .interrupted : .terminated } }

    func fail(_ failure: CommandFailure) -> ExitCode {
        notice(failure.sentence)
        if failure.code == .usage { standardError("See 'callbot help \(command)'.\n") }
        return failure.code
    }

    /// The width of the terminal that standard output is; nil where it is none.
    static var terminalColumns: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
