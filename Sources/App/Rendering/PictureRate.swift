/// Counts pictures by the second: what is told during one is how many the one before had, so that it changes only then.
struct PictureRate {
    private var first: Int64?
    private var second: Int64 = 0
    private var count = 0
    /// Of the second before `second`.
    private var countBefore = 0

    /// - Parameter second: never less than the one before.
    mutating func add(inSecond second: Int64) {
        if first == nil { first = second }
        if second != self.second || count == 0 {
            countBefore = second == self.second + 1 ? count : 0
            self.second = second
            count = 0
        }
        count += 1
    }

    /// Pictures a second; nil until there has been a whole second, since the first may have begun in its middle.
    func value(inSecond second: Int64) -> Int? {
        guard let first, second > first + 1 else { return nil }
        switch second - self.second {
        case 0: return countBefore
        case 1: return count
        default: return 0
        }
    }
}
