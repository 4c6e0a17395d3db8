import MediaTypes

// The rules. Each is a sentence somewhere below; what is measured is in the report.
extension Verdict {
    /// A track that was there for a shorter time need not show or sound anything: its first frames are on their way.
    static let grace = Duration.seconds(2)
    /// Sound that is heard for less than this is silent.
    static let leastAudible = Duration.milliseconds(500)
    /// A picture is black throughout when it is for this share of the time.
    static let mostBlack = 0.95
    /// How long a camera's picture may stand though frames come.
    static let longestStill = Duration.seconds(10)
    static let mostStill = 0.1
    /// The share of time that may be lost.
    static let mostLost = 0.01
    static let longestLost = Duration.seconds(1)
    /// The share of the time in which a sender may send nothing.
    static let mostNotSent = 0.5
    static let latest = Duration.seconds(5)
    /// Where viewers begin to be disturbed (ITU-R BT.1359).
    static let farthestApart = Duration.milliseconds(90)
    /// Exit codes of ends that nobody need look into: done, empty, room destroyed, stopped.
    static let ordinaryEnds: Set<Int> = [0, 10, 11, 130, 143]
    /// Of an end without any media though people published.
    static let noMediaEnd = 32

    /// - Parameter ended: tracks of the recording that are not in the report any more.
    package init(judging report: RecordingReport, ended: [TrackJudgement] = []) {
        self.init()
        var tracks = report.tracks.map { TrackJudgement(of: $0, label: $0.label(in: report)) }
        if !ended.isEmpty { tracks = (ended + tracks).sorted { $0.track < $1.track } }
        reasons += Self.ends(of: report)
        for track in tracks { reasons += track.reasons }
        for somebody in report.participants { reasons += Self.faults(of: somebody) }
        if let composite = report.composite { judge(composite) }
        for event in report.events where event.kind == .failed {
            reasons.append(Reason(.fault, event.text))
        }
        for event in report.events where event.kind == .gap { reasons.append(Reason(.lost, event.text)) }
        for event in report.events where event.kind == .clock { remarks.append(event.text.asSentence) }
        remarks += Self.remarks(on: report, tracks)
        if let failure = Self.failure(of: report, tracks) {
            grade = .failed
            reasons.insert(failure, at: 0)
        } else {
            grade = reasons.isEmpty ? .good : .degraded
        }
    }

    /// Nothing of anybody is there though somebody sent something.
    private static func failure(of report: RecordingReport, _ tracks: [TrackJudgement]) -> Reason? {
        if report.ending?.exitCode == noMediaEnd { return Reason(.noMedia, "no media came though people published") }
        guard tracks.allSatisfy({ !$0.hasFrames }) else { return nil }
        if tracks.contains(where: \.isExpected) { return Reason(.noMedia, "nothing of any track is there") }
        if tracks.isEmpty, report.participants.contains(where: { $0.unrecorded.contains { $0.time >= grace } }) {
            return Reason(.noMedia, "nothing of what people published could be recorded")
        }
        return nil
    }

    private static func ends(of report: RecordingReport) -> [Reason] {
        switch report.state {
        case .recording: return [Reason(.unfinished, "the recording has not been ended")]
        case .interrupted: return [Reason(.cutShort, "the recording was cut short")]
        case .finished: break
        }
        guard let code = report.ending?.exitCode, !ordinaryEnds.contains(code) else { return [] }
        let message = report.ending?.message ?? ""
        return [Reason(.cutShort, "the recording ended early" + (message.isEmpty ? "" : " (\(message.withoutStop))"))]
    }

    /// What is wrong with a track, which people know by its label.
    static func faults(of track: TrackReport, label: String) -> [Reason] {
        var faults: [Reason] = []
        func add(_ code: Code, _ text: String) {
            faults.append(Reason(code, text, track: track.track, participant: track.participant))
        }
        if let failure = track.failure { add(.writingFailed, "\(label) could not be written to its end: \(failure)") }
        guard track.frames > 0 else {
            if track.expected >= grace { add(.empty, "nothing of \(label) came") }
            return faults
        }
        if let waited = track.waited, waited > latest { add(.late, "\(label) began \(waited.inSeconds) s late") }
        if let text = loss(of: track) { add(.lost, "\(text) of \(label) was lost") }
        if track.expected >= grace {
            if let sound = track.sound { judge(sound, of: track, label, add) }
            if let pictures = track.pictures { judge(pictures, of: track, label, add) }
        }
        if let pictures = track.pictures, pictures.frozenCount > 0 {
            let times = pictures.frozenCount == 1 ? "once" : "\(pictures.frozenCount) times"
            add(.frozen, "\(label) froze \(times), \(pictures.frozen.inSeconds) s in all")
        }
        return faults
    }

    /// How much of a track was lost, when it is too much; of pictures, time that stood still is told of elsewhere.
    private static func loss(of track: TrackReport) -> String? {
        if track.kind == .audio {
            let longest = track.gaps.filter(\.reason.isLoss).map(\.length).max() ?? .zero
            if track.lost > track.expected * mostLost || longest >= longestLost { return "\(track.lost.inSeconds) s" }
        } else if let outage = track.gaps.filter({ $0.reason == .connection && $0.from >= track.to }).map(\.length)
            .max()
        {
            return "\(outage.inSeconds) s"
        }
        guard let reception = track.reception else { return nil }
        let packets = reception.packets + reception.lost
        if Double(reception.lost) > Double(packets) * mostLost {
            return "\((Double(reception.lost) * 100 / Double(packets)).inTenths) %"
        }
        return nil
    }

    private static func judge(
        _ sound: TrackReport.Sound, of track: TrackReport, _ label: String, _ add: (Code, String) -> Void
    ) {
        let isMeasured = sound.measuredBy != .none || sound.silent >= track.expected * mostBlack
        guard isMeasured, sound.audible < leastAudible else { return }
        let isMuted = track.muted >= track.expected * mostNotSent
        add(.silent, "\(label) was silent throughout" + (isMuted ? " (the room had muted it)" : ""))
    }

    private static func judge(
        _ pictures: TrackReport.Pictures, of track: TrackReport, _ label: String, _ add: (Code, String) -> Void
    ) {
        if track.notSent > track.expected * mostNotSent {
            let isMuted = track.muted >= track.expected * mostNotSent
            let why = isMuted ? " (the room had muted it)" : ""
            add(
                .paused, "\(label) sent nothing for \(track.notSent.inSeconds) s of \(track.expected.inSeconds) s\(why)"
            )
        }
        guard pictures.seen > .zero else { return }
        if pictures.black >= pictures.seen * mostBlack {
            add(.black, "\(label) was black throughout")
        } else if track.source == .camera {
            // Nobody knows whether the last second would have changed.
            let isStill = pictures.still + .seconds(1) >= pictures.seen * mostBlack && pictures.seen > grace
            if isStill {
                add(.frozen, "the picture of \(label) did not change at all")
            } else if pictures.still > max(longestStill, track.expected * mostStill) {
                add(.frozen, "the picture of \(label) did not change for \(pictures.still.inSeconds) s")
            }
        }
    }

    private static func faults(of somebody: ParticipantReport) -> [Reason] {
        var faults: [Reason] = []
        if let offset = somebody.offset, offset.p95 > farthestApart {
            faults.append(
                Reason(
                    .outOfSync, "\(somebody.label)'s sound and picture were \(offset.p95.microseconds / 1000) ms apart",
                    participant: somebody.id))
        }
        for offer in somebody.unrecorded where offer.time >= grace {
            let what = offer.kind == .audio ? "sound" : "picture"
            let codec = offer.codec.map { " (\($0.rawValue))" } ?? ""
            faults.append(
                Reason(
                    .unrecorded, "a \(what) of \(somebody.label)\(codec) could not be recorded",
                    participant: somebody.id))
        }
        return faults
    }

    private mutating func judge(_ composite: CompositeReport) {
        if composite.undecodableFrames > 0 {
            reasons.append(Reason(.undecodable, "\(composite.undecodableFrames) frames could not be decoded"))
        }
        switch composite.state {
        case .drawing, .live:
            if let degradation = composite.degradations.last {
                reasons.append(Reason(.composite, "the composite was drawn with less: \(degradation.text)"))
            }
        case .afterwards: remarks.append("The composite was made after the call.")
        case .shortened: reasons.append(Reason(.composite, "the composite ends before the call does"))
        case .deferred: remarks.append("The composite is left for later.")
        case .missing: reasons.append(Reason(.composite, "there is no composite"))
        }
    }

    private static func remarks(on report: RecordingReport, _ tracks: [TrackJudgement]) -> [String] {
        if report.participants.isEmpty, tracks.isEmpty { return ["Nobody came."] }
        var remarks: [String] = []
        let publishers = Set(tracks.map(\.participant))
        for somebody in report.participants where somebody.unrecorded.isEmpty && !publishers.contains(somebody.id) {
            remarks.append("\(somebody.label) published nothing.")
        }
        guard report.state == .finished, tracks.contains(where: \.isUnseen) else { return remarks }
        let names = Dictionary(report.participants.map { ($0.id, $0.label) }) { first, _ in first }
        for track in tracks where track.isUnseen {
            remarks.append(
                "Nobody has looked at \(names[track.participant] ?? track.participant.value)'s \(track.sourceWords).")
        }
        return remarks
    }
}

extension TrackReport {
    /// "Ada's camera"
    package func label(in report: RecordingReport) -> String {
        let name = report.participants.first { $0.id == participant }?.label ?? participant.value
        return "\(name)'s \(sourceWords)"
    }

    /// "camera"
    package var sourceWords: String {
        switch source {
        case .microphone: "microphone"
        case .camera: "camera"
        case .screenShare: "screen"
        case .screenShareAudio: "screen's sound"
        case .unknown: kind == .audio ? "sound" : "picture"
        }
    }
}

extension Duration {
    /// To a tenth: "1.5".
    package var inSeconds: String { seconds.inTenths }
}

extension Double {
    fileprivate var inTenths: String {
        let tenths = Int64((self * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}

extension String {
    fileprivate var withoutStop: String { last == "." ? String(dropLast()) : self }
    fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
