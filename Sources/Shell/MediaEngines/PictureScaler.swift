import CScale
import CYUV
import MediaTypes

/// Scales pictures; keeps its filters and its row between pictures of the same sizes, as those of one stream are.
///
/// A picture that is more than twice too large is halved first, as often as needed (libyuv has a fast path for that), and
/// then two neighbours are mixed in each direction. libyuv does the ratios it is fastest at, and the odd cases where only
/// one direction shrinks by more than a half.
final class PictureScaler {
    private struct Key: Hashable {
        var from: Int
        var to: Int
    }
    private var axes: [Key: ScaledAxis] = [:]
    /// One row, already mixed with the row below it, with room to read 16 pixels from any place.
    private var row: [UInt8] = []
    /// Room for a plane halved once, twice, and so on.
    private var halves: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { for half in halves { half.deallocate() } }

    func scale(_ source: PicturePlanes, to target: PicturePlanes) {
        guard source.size != target.size else { return source.copy(to: target) }
        scale(source.luma, source.size, to: target.luma, target.size)
        scale(source.blue, source.chromaSize, to: target.blue, target.chromaSize)
        scale(source.red, source.chromaSize, to: target.red, target.chromaSize)
    }

    private func scale(
        _ source: PicturePlanes.Plane, _ from: PixelSize, to target: PicturePlanes.Plane, _ to: PixelSize
    ) {
        var (plane, size) = (source, from)
        var level = 0
        while !Self.libraryIsFast(size, to), size.width > 2 * to.width, size.height > 2 * to.height {
            (plane, size) = halve(plane, size, level: level)
            level += 1
        }
        if Self.libraryIsFast(size, to) || size.width > 2 * to.width || size.height > 2 * to.height {
            ScalePlane(
                plane.start, Int32(plane.stride), Int32(size.width), Int32(size.height),
                target.start, Int32(target.stride), Int32(to.width), Int32(to.height), kFilterBox)
        } else {
            mix(plane, size, to: target, to)
        }
    }

    private func halve(
        _ source: PicturePlanes.Plane, _ from: PixelSize, level: Int
    ) -> (PicturePlanes.Plane, PixelSize) {
        // An odd last row or column is left out: less than half a pixel of the result.
        let size = PixelSize(width: from.width / 2, height: from.height / 2)
        let stride = (size.width + 63) & ~63
        if level == halves.count { halves.append(.allocate(capacity: stride * size.height)) }
        if halves[level].count < stride * size.height {
            halves[level].deallocate()
            halves[level] = .allocate(capacity: stride * size.height)
        }
        guard let start = halves[level].baseAddress else { preconditionFailure("a plane has some pixels") }
        ScalePlane(
            source.start, Int32(source.stride), Int32(size.width * 2), Int32(size.height * 2),
            start, Int32(stride), Int32(size.width), Int32(size.height), kFilterBox)
        return (PicturePlanes.Plane(start: start, stride: stride), size)
    }

    /// Whether libyuv has a path of its own for this ratio (ScalePlane in its scale.cc).
    private static func libraryIsFast(_ from: PixelSize, _ to: PixelSize) -> Bool {
        func ratio(_ numerator: Int, _ denominator: Int) -> Bool {
            to.width * denominator == from.width * numerator && to.height * denominator == from.height * numerator
        }
        return from == to || ratio(1, 2) || ratio(1, 4) || ratio(3, 4) || ratio(3, 8) || ratio(2, 1)
    }

    private func mix(
        _ source: PicturePlanes.Plane, _ from: PixelSize, to target: PicturePlanes.Plane, _ to: PixelSize
    ) {
        let across = axis(from.width, to.width)
        let down = axis(from.height, to.height)
        if row.count < from.width + 32 { row = Array(repeating: 0, count: from.width + 32) }
        for y in 0..<to.height {
            let upper = source.start + Int(down.first[y]) * source.stride
            let lower = from.height == 1 ? upper : upper + source.stride
            let out = target.start + y * target.stride
            if from.width == to.width {
                cb_mix_rows(upper, lower, down.weight[y], out, to.width)
            } else {
                cb_mix_rows(upper, lower, down.weight[y], &row, from.width)
                cb_mix_columns(row, across.bases, across.places, across.weights, out, to.width)
            }
        }
    }

    private func axis(_ from: Int, _ to: Int) -> ScaledAxis {
        let key = Key(from: from, to: to)
        if let known = axes[key] { return known }
        if axes.count >= 64 { axes.removeAll() }  // a picture that keeps changing its size
        let axis = ScaledAxis(from: from, to: to)
        axes[key] = axis
        return axis
    }
}
