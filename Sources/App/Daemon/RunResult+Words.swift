import Supervision

extension RunResult {
    /// The end in words.
    func words(_ message: String?) -> String {
        let said = message.map { ": " + $0 } ?? exit.map { ": \($0.words)" } ?? ""
        return switch reason {
        case .done: "done" + said
        case .stopped: "stopped" + said
        case .failed: "failed" + said
        case .tooLate: "its time was over before it could begin" + said
        case .crashedTooOften: "the recorder crashed \(attempts) times" + said
        case .notStarted(let why): "the recorder could not be started: " + why
        }
    }
}

extension RecorderExit {
    /// How the process ended, in words.
    fileprivate var words: String {
        switch self {
        case .code(let code): "the recorder ended with exit code \(code)"
        case .signal(let number): "the recorder was ended by signal \(number)"
        case .unknown: "the recorder ended unseen"
        }
    }
}
