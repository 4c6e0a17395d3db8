package import MediaTypes

/// What a recording is worth: one word, and why.
package struct Verdict: Hashable, Sendable {
    package enum Grade: String, Sendable, CaseIterable {
        /// All that people sent is there, and can be seen and heard.
        case good
        /// There is something, and something of it is missing or shows nothing.
        case degraded
        /// People were there, and nothing of them is.
        case failed
    }

    /// For programs.
    package enum Code: String, Sendable, CaseIterable {
        /// It was not ended yet; or nobody was left to end it.
        case unfinished
        /// It ended before the call did.
        case cutShort = "cut-short"
        /// Nothing of anybody is there.
        case noMedia = "no-media"
        /// A track without a frame.
        case empty
        /// Nothing can be heard of a track.
        case silent
        /// Nothing can be seen of a track.
        case black
        /// A picture that stands though its sender did not mean it to.
        case frozen
        /// A sender that sent nothing for most of the time.
        case paused
        /// Packets that never came, or a connection that broke.
        case lost
        /// A track whose first frame came late.
        case late
        /// Sound that does not go with the picture.
        case outOfSync = "out-of-sync"
        /// A track that could not be subscribed to.
        case unrecorded
        /// A file that could not be written.
        case writingFailed = "writing-failed"
        /// Frames that cannot be decoded.
        case undecodable
        /// The composite is missing, or was drawn with less.
        case composite
        /// Something else that went wrong during the call.
        case fault
    }

    package struct Reason: Hashable, Sendable {
        package var code: Code
        /// The track that it is about; nil for the whole recording.
        package var track: TrackID?
        package var participant: ParticipantID?
        /// For people: a part of a sentence, such as "Ada's microphone was silent throughout".
        package var text: String

        package init(_ code: Code, _ text: String, track: TrackID? = nil, participant: ParticipantID? = nil) {
            self.code = code
            self.track = track
            self.participant = participant
            self.text = text
        }
    }

    package var grade: Grade
    /// Why it is not good; empty when it is.
    package var reasons: [Reason]
    /// What is worth knowing and takes nothing away: sentences.
    package var remarks: [String]

    package init(grade: Grade = .good, reasons: [Reason] = [], remarks: [String] = []) {
        self.grade = grade
        self.reasons = reasons
        self.remarks = remarks
    }

    /// "The recording is degraded: Ada's microphone was silent throughout; Bob's camera was black throughout."
    package var sentence: String {
        let shown = reasons.prefix(4).map(\.text)
        let rest = reasons.count - shown.count
        let why = (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
        return
            "The recording \(grade == .failed ? "has failed" : "is \(grade.rawValue)")\(why.isEmpty ? "" : ": \(why)")."
    }
}
