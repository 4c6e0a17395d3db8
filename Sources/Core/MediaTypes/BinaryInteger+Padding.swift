extension BinaryInteger {
    /// The number in decimal digits, with zeros in front up to a width. For numbers that are not negative.
    package func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
