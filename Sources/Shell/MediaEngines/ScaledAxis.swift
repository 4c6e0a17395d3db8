/// Where the pixels of a scaled row or column come from: each is a mix of two neighbours. Good for ratios from 1/2 up;
/// below, pixels would be skipped.
struct ScaledAxis {
    /// Weights are in 64ths: fine enough for 8-bit pixels, and two of them fit into one byte each.
    static let one = 64
    /// Outputs that are made in one go, from 16 neighbouring pixels.
    static let group = 8

    let from: Int
    let to: Int
    /// For each output the first of its two pixels.
    let first: [Int32]
    /// The weight of the second pixel, 0...64.
    let weight: [Int32]
    /// The first pixel of each group of outputs.
    let bases: [Int32]
    /// Two an output: where its pixels are, counted from the group's base (0...15), filled up to groups of 32 outputs.
    let places: [UInt8]
    /// Two an output: how much each weighs.
    let weights: [Int8]

    init(from: Int, to: Int) {
        precondition(from > 0 && to > 0 && from <= 2 * to, "two pixels an output cover ratios from 1/2 up")
        self.from = from
        self.to = to
        var first: [Int32] = []
        var weight: [Int32] = []
        for output in 0..<to {
            // The centre of the output pixel, in source pixels from the centre of the first one, over 2 * to.
            let centre = max(0, (2 * output + 1) * from - to)
            let pixel = min(centre / (2 * to), max(0, from - 2))
            let beyond = centre - pixel * 2 * to
            first.append(Int32(pixel))
            weight.append(from == 1 ? 0 : Int32(min(Self.one, (beyond * Self.one + to) / (2 * to))))
        }
        self.first = first
        self.weight = weight

        let groups = (to + 31) / 32 * 4
        var bases = [Int32](repeating: 0, count: groups)
        var places = [UInt8](repeating: 0, count: groups * Self.group * 2)
        var weights = [Int8](repeating: 0, count: groups * Self.group * 2)
        for output in 0..<to {
            if output % Self.group == 0 { bases[output / Self.group] = first[output] }
            let place = UInt8(first[output] - bases[output / Self.group])
            // The row is padded, so that there is a second pixel even where its weight is nothing.
            (places[2 * output], places[2 * output + 1]) = (place, place + 1)
            (weights[2 * output], weights[2 * output + 1]) = (Int8(64 - weight[output]), Int8(weight[output]))
        }
        self.bases = bases
        self.places = places
        self.weights = weights
    }
}
