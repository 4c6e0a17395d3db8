/// Every way in which a good input is slightly wrong: what a parser must survive.
package enum MalformedTwins {
    /// Calls `body` with `original` cut off after each byte, with each bit and each whole byte flipped, with bytes
    /// added, and with `mutations` random changes of several bytes at once.
    package static func of(
        _ original: [UInt8], mutations: Int = 200, seed: UInt64 = 1, _ body: ([UInt8]) throws -> Void
    ) rethrows {
        for length in 0...original.count { try body(Array(original.prefix(length))) }
        for index in original.indices {
            for mask in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff] as [UInt8] {
                var twin = original
                twin[index] ^= mask
                try body(twin)
            }
        }
        var generator = SeededGenerator(seed: seed)
        for extra in 1...5 { try body(original + generator.bytes(extra)) }
        for _ in 0..<mutations where !original.isEmpty {
            var twin = original
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                twin[Int.random(in: twin.indices, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            try body(Array(twin.prefix(Int.random(in: 0...twin.count, using: &generator))))
        }
    }
}
