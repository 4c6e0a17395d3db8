extension Duration {
    /// Reads a span of time as people write it: `90s`, `1h30m`, `1.5h`, `250ms`, `1:30:00`, `90` (seconds).
    package init?(spelled text: String) {
        if text.contains(":") {
            self.init(clock: text)
        } else if let seconds = Double(plainDecimal: text[...]) {
            self = .seconds(seconds)
        } else {
            self.init(units: text)
        }
    }

    /// `1:30:00` or `1:30` (minutes and seconds).
    private init?(clock text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let seconds = Double(plainDecimal: parts[parts.count - 1]), seconds < 60
        else { return nil }
        let whole = parts.dropLast().map { $0.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
        guard !whole.contains(nil) else { return nil }
        let numbers = whole.compactMap { $0 }
        guard numbers.allSatisfy({ $0 < 100_000 }), numbers.count == 1 || numbers[1] < 60 else { return nil }
        self = .seconds(numbers.reduce(0) { $0 * 60 + $1 } * 60) + .seconds(seconds)
    }

    /// `1h30m`: numbers with units, the larger ones first.
    private init?(units text: String) {
        var rest = text[...]
        var total = Duration.zero
        var smallest = Duration.seconds(Int64.max)
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCIIDigit || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix { !$0.isASCIIDigit && $0 != "." }
            rest = rest.dropFirst(digits.count + unit.count)
            let size: Duration
            switch unit {
            case "d": size = .seconds(86_400)
            case "h": size = .seconds(3600)
            case "m", "min": size = .seconds(60)
            case "s": size = .seconds(1)
            case "ms": size = .milliseconds(1)
            default: return nil
            }
            guard size < smallest, let count = Double(plainDecimal: digits) else { return nil }
            smallest = size
            total += .seconds(size.seconds * count)
        }
        self = total
    }
}

extension Double {
    /// Digits with at most one point among them. Stricter than `Double`, which takes signs, exponents, "nan" and
    /// "0x1p3".
    package init?(plainDecimal text: Substring) {
        guard text.first?.isASCIIDigit == true, text.last?.isASCIIDigit == true, text.count <= 15,
            text.allSatisfy({ $0.isASCIIDigit || $0 == "." })
        else { return nil }
        self.init(text)
    }
}

extension Character {
    package var isASCIIDigit: Bool { "0"..."9" ~= self }
}
