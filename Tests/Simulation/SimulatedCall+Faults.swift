package import CallbotTesting
import Reception

extension SimulatedCall {
    /// What is wrong with the call, now that it has been run. Picture and sound of a participant may be apart by 20 ms in 95 of
    /// 100 pictures, by 30 ms where one of them has no true reports or counts wrongly, or every fifth packet is lost; and by
    /// 60 ms at worst.
    package func faults() -> [String] {
        var faults: [String] = []
        for (track, account) in accounts.enumerated() {
            faults += account.violations.prefix(3).map { "track \(track): \($0)" }
            if account.deliveredFrames < 100 { faults.append("track \(track): only \(account.deliveredFrames) frames") }
            let isHealable =
                plan.hasRetransmission && plan.downlink.loss <= 0.05 && plan.outages.isEmpty
                && plan.changes.isEmpty
            if isHealable, let statistics = account.statistics, statistics.lost > 0 {
                faults.append("track \(track): \(statistics.lost) packets lost")
            }
        }
        for participant in Set(plan.participants) {
            let offsets = offsets(of: participant)
            if offsets.isEmpty { faults.append("participant \(participant): nothing to compare") }
            let (most, last) = (percentile(0.95, of: offsets), percentile(1, of: offsets))
            let isHard =
                plan.downlink.loss > 0.05
                || zip(plan.tracks, plan.participants).contains {
                    $1 == participant && ($0.reportFault != .none || abs($0.skew) > 200)
                }
            if most > (isHard ? 30 : 20) || last > 60 {
                faults.append("participant \(participant): 95 % are within \(most) ms, all within \(last) ms")
            }
        }
        return faults
    }
}
