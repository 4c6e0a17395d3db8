/// Decides how many recordings the machine can take, from what those that run have been seen to need.
package struct Admission: Sendable {
    /// What a recording costs.
    package enum Kind: Hashable, CaseIterable, Sendable {
        /// With a composite drawn during the call.
        case live
        /// The tracks alone; the composite can be made later.
        case captureOnly
    }

    package enum Decision: Hashable, Sendable {
        case admitted
        /// Only with the composite left for later.
        case captureOnly(reason: String)
        case refused(reason: String)
    }

    /// The share of all processors that recordings may take together.
    package static let usableShare = 0.85
    /// Processors a recording takes until some have been seen.
    package static let assumed: [Kind: Double] = [.live: 0.5, .captureOnly: 0.06]
    /// What a new measurement counts against all before.
    private static let weight = 0.1

    /// Processors there are.
    private var processors: Double
    /// The most recordings at once, whatever they need; nil for no such limit.
    private var most: Int?
    private var needs = Self.assumed

    package init(processors: Int, most: Int? = nil) {
        self.processors = Double(max(1, processors))
        self.most = most
    }

    /// Goes by other limits from now on, and by what has been measured already.
    package mutating func limit(processors: Int, most: Int?) {
        self.processors = Double(max(1, processors))
        self.most = most
    }

    /// Takes in how many processors a running recorder has been taking for some time.
    package mutating func measured(_ kind: Kind, processors: Double) {
        guard processors.isFinite, processors >= 0 else { return }
        needs[kind] = need(of: kind) * (1 - Self.weight) + processors * Self.weight
    }

    package func need(of kind: Kind) -> Double { needs[kind] ?? 0 }

    /// How many more recordings there is room for.
    /// - Parameter load: processors that are taken by recorders now.
    package func room(for kind: Kind, load: Double) -> Int {
        max(0, Int((processors * Self.usableShare - load) / max(0.001, need(of: kind))))
    }

    /// Whether another recording can begin.
    /// - Parameter loads: processors that each of those takes that there are; nil for one that has not been measured yet, and
    ///   counts for what such ones usually take, so that many that begin at once are not all let in.
    package func decide(loads: [Double?], wantsComposite: Bool) -> Decision {
        let running = loads.count
        let load = load(loads)
        if let most, running >= most {
            return .refused(reason: "\(running) recordings run already, and no more than \(most) may")
        }
        let share = Int((load / processors * 100).rounded())
        if wantsComposite, room(for: .live, load: load) > 0 { return .admitted }
        guard room(for: .captureOnly, load: load) > 0 else {
            return .refused(
                reason: "\(running) recordings take \(share) % of the machine, and another one would be too much")
        }
        if !wantsComposite { return .admitted }
        return .captureOnly(
            reason:
                "\(running) recordings take \(share) % of the machine: only the tracks are recorded, and the composite is made later"
        )
    }

    private func load(_ loads: [Double?]) -> Double { loads.reduce(0) { $0 + ($1 ?? need(of: .live)) } }

    /// Whether something else may use the machine beside the recordings: as long as one more of those would find room.
    package func hasRoomForJob(loads: [Double?]) -> Bool {
        loads.isEmpty || room(for: .live, load: load(loads)) > 0
    }
}
