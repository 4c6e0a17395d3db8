package import RecordingFormat

/// How a recording ended, and what it is worth.
package struct RecordingOutcome: Sendable {
    package var end: RecordingEnd
    /// Nil when there is no recording.
    package var verdict: Verdict?
    /// Where it is; nil when there is none.
    package var folder: String?
    /// Whether it was asked for that nothing is made any more that can be made later.
    package var isHurried = false

    package init(_ end: RecordingEnd, verdict: Verdict? = nil) {
        self.end = end
        self.verdict = verdict
    }
}
