import Testing

@testable import WebM

@Test(
    arguments: [
        (0, [0x80]), (1, [0x81]), (126, [0xFE]), (127, [0x40, 0x7F]), (128, [0x40, 0x80]), (16_382, [0x7F, 0xFE]),
        (16_383, [0x20, 0x3F, 0xFF]), (2_097_150, [0x3F, 0xFF, 0xFE]), (2_097_151, [0x10, 0x1F, 0xFF, 0xFF]),
        (268_435_455, [0x08, 0x0F, 0xFF, 0xFF, 0xFF]),
    ] as [(Int, [UInt8])])
func sizeTakesTheFewestBytesAndIsNeverAllOnes(size: Int, expected: [UInt8]) {
    var bytes = EBMLBytes()
    bytes.append(size: size)
    #expect(bytes.bytes == expected)
    #expect(EBMLBytes.length(ofSize: size) == expected.count)
}

@Test(
    arguments: [
        (0, [0xD7, 0x81, 0]), (255, [0xD7, 0x81, 0xFF]), (256, [0xD7, 0x82, 1, 0]),
        (UInt64.max, [0xD7, 0x88, 255, 255, 255, 255, 255, 255, 255, 255]),
    ] as [(UInt64, [UInt8])])
func unsignedTakesTheFewestBytesAtLeastOne(value: UInt64, expected: [UInt8]) {
    var bytes = EBMLBytes()
    bytes.append(.trackNumber, unsigned: value)
    #expect(bytes.bytes == expected)
}

@Test func elementsNestAndStringsAreUTF8() {
    var bytes = EBMLBytes()
    bytes.append(.tag) { $0.append(.tagName, string: "é") }
    #expect(bytes.bytes == [0x73, 0x73, 0x85, 0x45, 0xA3, 0x82, 0xC3, 0xA9])
}

@Test(arguments: [2, 11, 120, 128])
func voidTakesTheSpaceItIsToldTo(total: Int) {
    var bytes = EBMLBytes()
    bytes.appendVoid(total: total)
    #expect(bytes.bytes.count == total)
    #expect(bytes.bytes.first == 0xEC)
}
