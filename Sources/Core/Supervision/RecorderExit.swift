/// How a recorder's process ended.
package enum RecorderExit: Hashable, Sendable {
    case code(Int32)
    case signal(Int32)
    /// It is gone, and nobody saw how: it ran on while nobody watched it.
    case unknown
}

/// What is to be done about an exit. The numbers are those of `callbot record`.
package enum ExitJudgement: Hashable, Sendable {
    /// It ended as it was to.
    case done
    /// The process broke: the same recording goes on at once.
    case crashed
    /// The room cannot be had now, but perhaps later.
    case notNow
    /// It will not go better the next time.
    case hopeless

    package init(_ exit: RecorderExit) {
        switch exit {
        // A fault in callbot itself counts as a crash, too.
        case .signal, .unknown, .code(70): self = .crashed
        case .code(0), .code(10), .code(11), .code(12), .code(130), .code(143): self = .done
        // No such room yet, full, the name is taken; no way for media; lost; nobody answers.
        case .code(21), .code(23), .code(24), .code(30...33), .code(69), .code(75): self = .notNow
        case .code: self = .hopeless
        }
    }
}
