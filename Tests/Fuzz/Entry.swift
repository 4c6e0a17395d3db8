// What libFuzzer calls. Each harness beside this file has one `fuzz(_:)`, and is compiled together with it by recipes/dev/fuzz.

/// One input. libFuzzer takes a trap as a find.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
