import JSON
package import MediaTypes

/// A whole number in a range that its user states.
struct WholeNumber: NumericArgumentValue {
    let value: Int

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> WholeNumber {
        guard let value = Int(text), !text.hasPrefix("+") else { throw InvalidValue("must be a whole number") }
        return WholeNumber(value: value)
    }

    func within(_ range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        guard range.contains(value) else {
            throw InvalidValue("must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

/// A span of time: `90s`, `1h30m`, `1.5h`, `250ms`, `1:30:00`, `90` (seconds).
extension Duration: NumericArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Duration {
        guard let duration = Duration(argument: text) else {
            throw InvalidValue("must be a time such as 90s, 1h30m or 1:30:00")
        }
        guard duration > .zero else { throw InvalidValue("must be longer than nothing") }
        guard duration <= .seconds(366 * 86_400) else { throw InvalidValue("must not be longer than a year") }
        return duration
    }

    private init?(argument text: String) {
        if text.contains(":") {
            self.init(clock: text)
        } else if let seconds = decimal(text[...]) {
            self = .seconds(seconds)
        } else {
            self.init(units: text)
        }
    }

    /// `1:30:00` or `1:30` (minutes and seconds).
    private init?(clock text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let seconds = decimal(parts[parts.count - 1]), seconds < 60 else {
            return nil
        }
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
            guard size < smallest, let count = decimal(digits) else { return nil }
            smallest = size
            total += .seconds(size.seconds * count)
        }
        self = total
    }
}

/// `1280x720`
extension PixelSize: ArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> PixelSize {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
            let width = Int(parts[0]), let height = Int(parts[1])
        else { throw InvalidValue("must be WIDTHxHEIGHT, such as 1280x720") }
        guard [width, height].allSatisfy({ (16...8192).contains($0) && $0 % 2 == 0 }) else {
            throw InvalidValue("must be two even numbers from 16 to 8192")
        }
        return PixelSize(width: width, height: height)
    }
}

/// Bits a second: `1500k`, `1.5M`, `96000`.
struct BitRate: NumericArgumentValue {
    let bitsPerSecond: Int

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> BitRate {
        let factor: Double
        switch text.last {
        case "k", "K": factor = 1000
        case "M": factor = 1_000_000
        default: factor = 1
        }
        guard let number = decimal(factor == 1 ? text[...] : text.dropLast()), number * factor <= 1_000_000_000 else {
            throw InvalidValue("must be bits a second, such as 1500k or 1.5M")
        }
        return BitRate(bitsPerSecond: Int((number * factor).rounded()))
    }

    func within(_ range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        guard range.contains(bitsPerSecond) else {
            throw InvalidValue("must be from \(range.lowerBound) to \(range.upperBound) bits a second")
        }
        return bitsPerSecond
    }
}

/// Bytes: `500M`, `1.5G`, `32000000`.
struct ByteSize: NumericArgumentValue {
    let bytes: Int64

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> ByteSize {
        let factor: Double =
            switch text.last {
            case "k", "K": 1e3
            case "M": 1e6
            case "G": 1e9
            case "T": 1e12
            default: 1
            }
        guard let number = decimal(factor == 1 ? text[...] : text.dropLast()), number * factor <= 1e18 else {
            throw InvalidValue("must be a size such as 500M or 2G")
        }
        return ByteSize(bytes: Int64((number * factor).rounded()))
    }

    func within(_ range: ClosedRange<Int64>) throws(InvalidValue) -> Int64 {
        guard range.contains(bytes) else {
            throw InvalidValue("must be from \(byteCount(range.lowerBound)) to \(byteCount(range.upperBound))")
        }
        return bytes
    }
}

/// Digits with at most one point among them. Stricter than `Double`, which takes signs, exponents, "nan" and "0x1p3".
private func decimal(_ text: Substring) -> Double? {
    guard text.first?.isASCIIDigit == true, text.last?.isASCIIDigit == true, text.count <= 15,
        text.allSatisfy({ $0.isASCIIDigit || $0 == "." })
    else { return nil }
    return Double(text)
}

extension Character {
    fileprivate var isASCIIDigit: Bool { "0"..."9" ~= self }
}
