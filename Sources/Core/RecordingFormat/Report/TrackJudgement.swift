package import MediaTypes

/// What a verdict takes from a track's report.
package struct TrackJudgement: Hashable, Sendable {
    package let track: TrackID
    package let participant: ParticipantID
    /// "camera"
    let sourceWords: String
    /// What is wrong with it.
    package let reasons: [Verdict.Reason]
    let hasFrames: Bool
    /// Whether it was there for so long that something of it should be.
    let isExpected: Bool
    /// Whether there are pictures and nobody has looked at one.
    let isUnseen: Bool

    /// - Parameter label: "Ada's camera"
    init(of report: TrackReport, label: String) {
        track = report.track
        participant = report.participant
        sourceWords = report.sourceWords
        reasons = Verdict.faults(of: report, label: label)
        hasFrames = report.frames > 0
        isExpected = report.expected >= Verdict.grace
        isUnseen = hasFrames && report.pictures?.measuredBy == TrackReport.Pictures.Measure.none
    }
}
