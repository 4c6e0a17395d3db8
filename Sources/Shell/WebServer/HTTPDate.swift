import MediaTypes

extension WallTime {
    /// As in header fields (RFC 9110 section 5.6.7): `Mon, 30 Nov 2026 04:07:28 GMT`.
    var httpDate: String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let (year, month, day) = civilDate
        let sinceEpoch = (microseconds - microsecondsOfDay) / 86_400_000_000
        let weekday = days[Int((sinceEpoch % 7 + 7) % 7)]
        return "\(weekday), \(day.padded(2)) \(months[month - 1]) \(year.padded(4)) \(timeOfDay) GMT"
    }
}
