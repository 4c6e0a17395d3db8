import CallbotTesting
import JSON
import Testing

@Suite struct JSONRoundTripTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func writtenValuesAreReadBackTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = randomValue(depth: 5, using: &random)
        #expect(try JSONValue(parsing: value.compact) == value)
        #expect(try JSONValue(parsing: value.pretty) == value)
        #expect(try JSONValue(parsing: value.pretty, as: .json5) == value)
        #expect(try JSONNode(parsing: value.compactUTF8, as: .strict).value == value)
    }

    /// Whatever stands in the bytes, the parser ends with a value or an error inside the text, never with a crash; and
    /// what it took for JSON, it takes again after writing.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func mutatedTextIsAValueOrAnErrorInTheText(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "[", "]", "\"", "'", "\\", "\\u", "\\ud83d", ",", ":", "//", "/*", "0x", "-", "1e", "\n", "\r",
            "é", "a",
        ]
        for dialect in [JSONDialect.strict, .json5] {
            var bytes = randomValue(depth: 4, using: &random).compactUTF8
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: at)
                case 1: bytes.insert(contentsOf: Array(try #require(pieces.randomElement(using: &random)).utf8), at: at)
                case 2 where at < bytes.count: bytes.remove(at: at)
                default: bytes.removeSubrange(at...)
                }
            }
            switch Result(catching: { () throws(JSONError) in try JSONValue(parsing: bytes, as: dialect) }) {
            case .success(let value):
                #expect(try JSONNode(parsing: bytes, as: dialect).value == value)
                #expect(try JSONValue(parsing: value.compact) == value)
            case .failure(let error):
                #expect(error.line >= 1 && error.line <= 1 + bytes.count)
                #expect(error.column >= 1 && error.column <= 1 + bytes.count)
            }
        }
    }

    private func randomValue(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return nil
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(.random(in: .min ... .max, using: &random))
        case 3: return .unsigned(.random(in: UInt64(Int64.max) + 1 ... .max, using: &random))
        case 4:
            let number = Double(bitPattern: .random(in: 0...UInt64.max, using: &random))
            return number.isFinite ? .number(number) : 0.0
        case 5: return .string(randomString(using: &random))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in randomValue(depth: depth - 1, using: &random) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                object[randomString(using: &random)] = randomValue(depth: depth - 1, using: &random)
            }
            return .object(object)
        }
    }

    private func randomString(using random: inout SeededGenerator) -> String {
        var string = ""
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let range: ClosedRange<UInt32> = Bool.random(using: &random) ? 0...0x7F : 0...0x1FFFF
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                string.unicodeScalars.append(scalar)
            }
        }
        return string
    }
}
