/// What a picture looks like from afar: the luma of points on a grid. Enough to know a black picture, and one that does
/// not change.
package struct PictureLook: Hashable, Sendable {
    package static let columns = 64
    package static let rows = 36
    /// No point of a black picture is lighter than this: black is 16 (BT.601, limited range), and encoders stray a little.
    static let lightestBlack: UInt8 = 40
    /// What an encoder changes in a picture that stands still.
    static let noise = 2

    /// Row by row, `columns * rows` of them.
    package let luma: [UInt8]

    package init(luma: [UInt8]) { self.luma = luma }

    package var isBlack: Bool { luma.allSatisfy { $0 <= Self.lightestBlack } }

    /// Whether two looks are of the same picture, so far as can be seen.
    package func isSame(as other: PictureLook) -> Bool {
        luma.count == other.luma.count && zip(luma, other.luma).allSatisfy { abs(Int($0) - Int($1)) <= Self.noise }
    }
}
