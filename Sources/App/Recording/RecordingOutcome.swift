package import RecordingFormat

/// How a recording ended, and what it is worth.
package struct RecordingOutcome: Sendable {
    package var end: RecordingEnd
    /// Nil when there is no recording.
    package var verdict: Verdict?

    package init(_ end: RecordingEnd, verdict: Verdict? = nil) {
        self.end = end
        self.verdict = verdict
    }
}
