/// A day of the week, numbered as cron does: Sunday is 0.
package enum Weekday: Int, Hashable, Sendable, CaseIterable {
    case sunday, monday, tuesday, wednesday, thursday, friday, saturday

    /// The first two letters, as iCalendar writes them: `MO`.
    package init?(iCalendar text: some StringProtocol) {
        guard let index = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].firstIndex(of: text.uppercased()) else {
            return nil
        }
        self.init(rawValue: index)
    }

    /// How many days this one comes after another, 0...6.
    package func daysAfter(_ other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}
