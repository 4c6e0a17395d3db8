import Calendar
package import MediaTypes
package import Scheduling
import TimeZones

extension Schedule {
    /// Why it cannot be followed, or never records anything, in a sentence; nil when it can.
    package func fault(at now: WallTime) -> String? {
        do { _ = try SystemTimeZones().zone(named: zone) } catch { return "\(error)" }
        switch timing {
        case .once(let time):
            return ScheduleForecast.next(1, of: self, after: now).isEmpty ? "\(time) is over already" : nil
        case .cron(let cron): return cron.everMatches ? nil : "'\(cron)' never is: there is no such day"
        case .any: return timing.everMatches ? nil : "none of its times ever is: there are no such days"
        case .calendar: return nil
        }
    }
}

extension ScheduleID {
    /// What a schedule or a run is called when nobody says: by the recipe's name, or the room's.
    package init(usualFor recipe: String) {
        let last = recipe.split(separator: "/").last.map(String.init) ?? recipe
        let stem = recipe.contains("://") ? "room-" + last : String(last.prefix { $0 != "." })
        self.init(
            String(
                stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "-" }.prefix(60))
        )
    }
}
