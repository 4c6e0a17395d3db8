import MediaTypes

/// Who an app shows, in its order: the people in order of arrival, and before or after them the one whose phone it is.
/// A screen stays beside its owner.
struct Sessions {
    enum SelfPlace { case first, last }

    /// The person through whose eyes the call is seen; nil when nobody was chosen or they are not there.
    private(set) var viewer: Stage.Person?
    /// Everybody else's tiles, and the viewer's own screens.
    private(set) var others: [TileSubject]
    private let place: SelfPlace

    /// The viewer is there from joining on: an app shows its own camera at once.
    init(of stage: Stage, seenBy viewpoint: ParticipantID?, self place: SelfPlace, from entrance: Entrance) {
        viewer = stage.people.first { $0.id == viewpoint }
        self.place = place
        let peers = stage.people.filter { $0.id != viewpoint && entrance.admits($0) }.flatMap(\.tileSubjects)
        let further = viewer?.tileSubjects.dropFirst() ?? []
        others = place == .first ? further + peers : peers + further
    }

    /// The viewer's own tile.
    var own: TileSubject? { viewer?.tileSubjects.first }

    /// All tiles in order.
    var displayed: [TileSubject] {
        guard let own else { return others }
        return place == .first ? [own] + others : others + [own]
    }
}

extension [TileSubject] {
    /// Where a person's own tile is, not their screens.
    func index(of participant: ParticipantID?) -> Int? {
        firstIndex { $0.participant == participant && $0.kind == .person }
    }

    /// The same with one in front.
    func moved(_ index: Int) -> [TileSubject] { [self[index]] + self[..<index] + self[(index + 1)...] }
}
