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
        guard let duration = Duration(spelled: text) else {
            throw InvalidValue("must be a time such as 90s, 1h30m or 1:30:00")
        }
        guard duration > .zero else { throw InvalidValue("must be longer than nothing") }
        guard duration <= .seconds(366 * 86_400) else { throw InvalidValue("must not be longer than a year") }
        return duration
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
        guard let number = Double(plainDecimal: factor == 1 ? text[...] : text.dropLast()),
            number * factor <= 1_000_000_000
        else {
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
        guard let number = Double(plainDecimal: factor == 1 ? text[...] : text.dropLast()), number * factor <= 1e18
        else {
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
