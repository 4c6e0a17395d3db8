import MediaTypes

/// Who fills the canvas, as somebody chose: from the moment at which that is possible until it no longer is. Who was
/// let go is not taken up again by returning.
struct FullView {
    private enum State {
        case nobody
        /// Chosen, and not there yet, or too few are there. Leads to `showing`.
        case waiting(ParticipantID)
        /// Leads to `nobody` when they leave or too few are left.
        case showing(ParticipantID)
    }

    private var state: State

    init(_ participant: ParticipantID?) { state = participant.map { .waiting($0) } ?? .nobody }

    /// The index of who is full among those who are there.
    /// - Parameter minimum: with fewer than this nobody is.
    mutating func index(among displayed: [TileSubject], atLeast minimum: Int) -> Int? {
        func possible(_ participant: ParticipantID) -> Int? {
            displayed.count >= minimum ? displayed.index(of: participant) : nil
        }
        switch state {
        case .nobody:
            return nil
        case .waiting(let participant):
            let index = possible(participant)
            if index != nil { state = .showing(participant) }
            return index
        case .showing(let participant):
            let index = possible(participant)
            if index == nil { state = .nobody }
            return index
        }
    }
}
