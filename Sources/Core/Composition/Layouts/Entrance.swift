/// From when on a person has a tile.
package enum Entrance: Hashable, Sendable {
    /// From joining, with a stand-in until there is a picture.
    case join
    /// While they send something, be it sound or a picture.
    case track
    /// From their first picture until they leave: who sends none has no tile.
    case picture

    func admits(_ person: Stage.Person) -> Bool {
        switch self {
        case .join: true
        case .track: person.hasTracks
        case .picture: person.hasBeenSeen
        }
    }
}

extension Stage {
    /// What wants a tile, in order, of those who have one by now.
    func tileSubjects(from entrance: Entrance) -> [TileSubject] {
        people.filter(entrance.admits).flatMap(\.tileSubjects)
    }
}
