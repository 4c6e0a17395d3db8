import MediaTypes
import RoomProtocol

/// The account of one track's time, kept frame by frame.
struct TrackLedger: Sendable {
    /// What of the sound is heard, in dBov; nothing below it.
    static let audible = -60.0
    /// Times are whole milliseconds, and clocks are corrected a little while they run.
    static let tolerance = Duration.milliseconds(10)
    /// Longer holes in the sound are not concealed: three packets of 20 ms.
    static let longestConcealed = Duration.milliseconds(60)
    /// A picture stands for so long without anybody wondering.
    static let pictureSpan = Duration.seconds(1)
    /// Shorter gaps are summed up and not listed.
    static let shortestListed = Duration.milliseconds(200)
    /// Packets of so few bytes say that there is nothing to hear (discontinuous transmission).
    static let comfortBytes = 2

    let publication: TrackPublication
    let started: TimelineTime
    /// Whether lost packets are told of. When not, a hole may be anything.
    var knowsLoss: Bool
    var muted = SpanLog()
    var notReceived = SpanLog()
    var reception: ReceptionFigures?
    private(set) var layers: [TrackReport.LayerChange] = []
    private(set) var rates = RateTable()

    private(set) var firstFrame: TimelineTime?
    /// Up to where frames cover the time: of sound, where the last one ends; of pictures, where the last one begins.
    private(set) var reach: TimelineTime?
    private var received = Duration.zero
    private var lost = Duration.zero
    private var notSent = Duration.zero
    private var sound = TrackReport.Sound()
    private var pictures = TrackReport.Pictures()
    private var gaps: [TrackReport.Gap] = []
    private var gapCount = 0
    /// Spans in which the journal says that nothing could be had.
    private var outages: [(from: TimelineTime, to: TimelineTime)] = []
    private var hasLoss = false
    private var requestedLayer: Int?
    private var wasComfort = false
    private var lastLook: (time: TimelineTime, look: PictureLook)?

    init(_ publication: TrackPublication, started: TimelineTime, knowsLoss: Bool) {
        self.publication = publication
        self.started = started
        self.knowsLoss = knowsLoss
    }

    private var isSound: Bool { publication.kind == .audio }

    // MARK: - What happens

    /// Packets are given up; the next frame comes behind them.
    mutating func lose() { hasLoss = true }

    mutating func outage(from: TimelineTime, to: TimelineTime) {
        guard to > from, outages.count < RecordingReport.mostEntries else { return }
        outages.append((from, to))
    }

    mutating func requestLayer(_ spatial: Int) { requestedLayer = spatial }

    mutating func forwardLayer(_ spatial: Int?, _ temporal: Int?, at time: TimelineTime) {
        let change = TrackReport.LayerChange(at: time, spatial: spatial, temporal: temporal, requested: requestedLayer)
        if layers.count < RecordingReport.mostEntries { layers.append(change) }
    }

    mutating func frame(_ frame: EncodedFrame, level: SoundLevel?) {
        rates.count(bytes: frame.payload.count, at: frame.time)
        firstFrame = firstFrame ?? frame.time
        if isSound { hear(frame, level) } else { see(frame) }
        hasLoss = false
    }

    private mutating func hear(_ frame: EncodedFrame, _ level: SoundLevel?) {
        let end = frame.time + (frame.duration ?? .milliseconds(20))
        var begin = frame.time
        if let reach {
            if begin - reach > Self.tolerance {
                closeHole(from: reach, to: begin)
            } else {
                begin = reach
            }
        }
        wasComfort = frame.payload.count <= Self.comfortBytes
        guard end > begin else { return }
        reach = end
        let length = end - begin
        cover(begin, end)
        if wasComfort {
            sound.silent += length
        } else if let level {
            if level.decibels <= Self.audible { sound.silent += length } else { sound.audible += length }
        }
        if let level { sound.measuredBy = level.isStated ? .senderLevels : .decoding }
    }

    private mutating func see(_ frame: EncodedFrame) {
        if let reach { stand(from: reach, to: frame.time) }
        reach = max(reach ?? frame.time, frame.time)
    }

    /// A picture stands from one moment to another.
    private mutating func stand(from: TimelineTime, to: TimelineTime) {
        guard to > from else { return }
        if to - from > Self.pictureSpan { closeHole(from: from, to: to) } else { cover(from, to) }
    }

    private mutating func cover(_ begin: TimelineTime, _ end: TimelineTime) {
        received += end - begin
        rates.cover(begin, end)
    }

    /// Somebody has looked at the picture that is shown from `time` on.
    mutating func look(_ look: PictureLook, at time: TimelineTime, by measure: TrackReport.Pictures.Measure) {
        pictures.measuredBy = measure
        guard let last = lastLook else {
            lastLook = (time, look)
            return
        }
        guard time > last.time else { return }
        lastLook = (time, look)
        guard time - last.time <= .seconds(2) else { return }
        let span = time - last.time
        pictures.seen += span
        if last.look.isBlack {
            pictures.black += span
        } else if last.look.isSame(as: look) {
            pictures.still += span
        }
    }

    // MARK: - Holes

    private mutating func closeHole(from: TimelineTime, to: TimelineTime, isTail: Bool = false, othersGoOn: Bool = true)
    {
        let reason = reason(from: from, to: to, isTail: isTail, othersGoOn: othersGoOn)
        let length = to - from
        if reason.isLoss { lost += length } else { notSent += length }
        if isSound {
            if !reason.isLoss {
                sound.silent += length
            } else if length <= Self.longestConcealed {
                sound.concealed += length
            } else {
                sound.missing += length
            }
        } else if reason.isLoss {
            pictures.frozenCount += 1
            pictures.frozen += length
            pictures.longestFrozen = max(pictures.longestFrozen, length)
        }
        list(TrackReport.Gap(from: from, to: to, reason: reason))
    }

    private mutating func list(_ gap: TrackReport.Gap) {
        // Silence that is not sent is no gap until it is long.
        guard gap.length >= (isSound && !gap.reason.isLoss ? Self.pictureSpan : Self.shortestListed) else { return }
        gapCount += 1
        gaps.append(gap)
        guard gaps.count > RecordingReport.mostEntries,
            let shortest = gaps.indices.min(by: { gaps[$0].length < gaps[$1].length })
        else { return }
        gaps.remove(at: shortest)
    }

    private func reason(
        from: TimelineTime, to: TimelineTime, isTail: Bool, othersGoOn: Bool
    ) -> TrackReport.Gap.Reason {
        if hasLoss { return .lost }
        if outages.contains(where: { $0.from < to && $0.to > from }) { return .connection }
        if muted.touches(from: from, to: to) { return .muted }
        if notReceived.touches(from: from, to: to) { return .notReceived }
        if isSound, wasComfort { return .notSent }
        if !knowsLoss { return .unknown }
        // At the end there is no packet behind the hole whose number would tell.
        return isTail && !othersGoOn ? .connection : .notSent
    }

    // MARK: - The account

    /// - Parameter othersGoOn: whether frames of other tracks came long after the last one of this.
    func report(on track: RecordedTrack, at end: TimelineTime, othersGoOn: (TimelineTime) -> Bool) -> TrackReport {
        var ledger = self
        var report = TrackReport(track, to: end)
        if let firstFrame { report.from = max(.zero, min(report.from, firstFrame)) }
        report.from = max(.zero, report.from)
        report.to = max(report.from, max(report.to, ledger.reach ?? report.to))
        ledger.closeTail(at: report.to, othersGoOn: othersGoOn)
        report.expected = report.to - report.from
        report.received = ledger.received
        report.lost = ledger.lost
        report.notSent = ledger.notSent
        report.muted = min(report.expected, ledger.muted.total(until: report.to))
        report.waited = firstFrame.map { max(.zero, $0 - report.from) }
        report.reception = reception
        if isSound {
            report.sound = ledger.sound
        } else {
            report.pictures = ledger.pictures
            // Looks may be of frames that have strayed.
            report.pictures?.bound(by: report.expected)
        }
        report.gaps = ledger.gaps
        report.gapCount = ledger.gapCount
        report.layers = layers
        report.rates = ledger.rates
        return report
    }

    private mutating func closeTail(at end: TimelineTime, othersGoOn: (TimelineTime) -> Bool) {
        if let reach, end > reach {
            let isCovered = !isSound && end - reach <= Self.pictureSpan
            if isCovered {
                cover(reach, end)
            } else if end - reach > Self.tolerance {
                // The last packets of a track are in the air when it ends.
                if isSound, end - reach <= .milliseconds(500), !hasLoss { return }
                closeHole(from: reach, to: end, isTail: true, othersGoOn: othersGoOn(reach))
            }
        }
        // What the journal says and no hole shows: the track was already over, or had not begun.
        for outage in outages
        where outage.from < end && outage.to > started
            && !gaps.contains(where: { $0.from < outage.to && $0.to > outage.from })
        {
            list(TrackReport.Gap(from: outage.from, to: outage.to, reason: .connection))
        }
        if let last = lastLook {
            // Nothing is known of what came after the last look, except that it cannot be long ago.
            let span = min(.seconds(1), end - last.time)
            if span > .zero {
                pictures.seen += span
                if last.look.isBlack { pictures.black += span }
            }
        }
    }
}

extension TrackReport.Pictures {
    fileprivate mutating func bound(by expected: Duration) {
        seen = min(seen, expected)
        black = min(black, seen)
        still = min(still, seen)
    }
}

/// How loud a frame of sound is.
package struct SoundLevel: Hashable, Sendable {
    /// In dBov: 0 is the loudest, -127 silence (RFC 6464).
    package var decibels: Double
    /// Whether that is what the sender says, and not what was heard.
    package var isStated: Bool
    package init(decibels: Double, isStated: Bool) {
        self.decibels = decibels
        self.isStated = isStated
    }
}
