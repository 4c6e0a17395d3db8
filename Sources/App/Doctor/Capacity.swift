import MediaTypes
import Supervision

/// How much a machine can record, by what pictures cost it.
///
/// Assumed is a composite of 1280x720 at 25 pictures a second in which everything moves, and people who each send
/// 640x360 at 25. Calls in which somebody sits still cost less.
package struct Capacity: Hashable, Sendable {
    /// Of the composite, and of everybody's camera.
    static let picturesPerSecond = 25.0
    /// What "a recording" is when recordings are counted.
    static let typicalPeople = 4
    /// Bytes of memory that a recording takes at most, with nine people.
    static let memory: Int64 = 150_000_000
    /// Bits a second of one person's picture and sound, and of the composite's.
    static let bitsPerSecond: (person: Int64, composite: Int64) = (700_000, 1_600_000)

    /// How many people one recording can show in real time.
    package let people: Int
    /// How many recordings of `typicalPeople` can be drawn at once.
    package let recordings: Int

    /// - Parameters:
    ///   - processors: how many may be used.
    ///   - memory: bytes that are available; nil for no limit.
    package init(_ cost: Measurements.PictureCost, processors: Double, memory: Int64?) {
        let usable = processors * Admission.usableShare
        let encoding = Self.picturesPerSecond * cost.encoding.seconds
        let showing = max(1e-6, Self.picturesPerSecond * cost.showing.seconds)
        let capturing = Admission.assumed[.captureOnly] ?? 0
        // One thread encodes; another one draws everybody.
        let ofOneThread = min(usable, Admission.usableShare)
        let ofDrawing = min(ofOneThread, usable - encoding - capturing)
        // A hair more, so that what fits exactly fits.
        people = encoding > ofOneThread ? 0 : max(0, Int(ofDrawing / showing + 1e-6))
        let whole = encoding + Double(Self.typicalPeople) * showing + capturing
        let fitting = people < Self.typicalPeople ? 0 : Int(usable / whole + 1e-6)
        recordings = min(fitting, memory.map { Int($0 / Self.memory) } ?? .max)
    }

    /// Bytes a second that a recording of so many people writes.
    static func bytesPerSecond(people: Int = typicalPeople) -> Double {
        Double(Int64(people) * bitsPerSecond.person + bitsPerSecond.composite) / 8
    }
}
