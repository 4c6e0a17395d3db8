package import MediaTypes

/// Lays people out in the regions of a `RegionLayout`. Nobody is shown twice: regions with a name choose first, then
/// those with a place in the order of arrival, with a role, with a source, with who speaks; the rest is what is left then. Several
/// in one region share it in a grid. Who fits no region is not shown.
package struct RegionLayouter: Layouter {
    private let layout: RegionLayout
    private var memory: SpeakerMemory

    package init(_ layout: RegionLayout, speakerHold: Duration = LayoutOptions().speakerHold) {
        self.layout = layout
        memory = SpeakerMemory(hold: speakerHold)
    }

    package mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let occupants = occupants(of: stage, at: time)
        let tiles = zip(layout.regions, occupants).flatMap { region, subjects in
            self.tiles(of: subjects, in: region, region.fractions.scaled(to: canvas).snapped(to: canvas))
        }
        return Scene(canvas: canvas, tiles: tiles)
    }

    private func tiles(of subjects: [TileSubject], in region: Region, _ place: PixelRectangle) -> [Tile] {
        guard !place.isEmpty else { return [] }
        switch subjects.count {
        case 0: return region.whenEmpty == .background ? [.background(in: place, of: region.name)] : []
        case 1: return [subjects[0].tile(in: place, region.contentMode)]
        default:
            let cells = GridLayouter(gap: layout.gap).rectangles(count: subjects.count, on: place.size)
            let tiles = zip(subjects, cells).map { $0.tile(in: $1, region.contentMode) }
            return Scene(canvas: place.size, tiles: tiles).tiles(in: place)
        }
    }

    /// Who is in each region, by the regions' positions.
    private mutating func occupants(of stage: Stage, at time: TimelineTime) -> [[TileSubject]] {
        var pool = RegionPool(stage)
        var occupants = layout.regions.map { _ in [TileSubject]() }
        func fill(_ choose: (Region.Who) -> [TileSubject]) {
            for (index, region) in layout.regions.enumerated() where occupants[index].isEmpty {
                occupants[index] = choose(region.who)
            }
        }
        fill { if case .named(let name, let source) = $0 { pool.take(named: name, source) } else { [] } }
        let unnamed = pool.people
        fill { if case .arrival(let number, let source) = $0 { pool.take(number, of: unnamed, source) } else { [] } }
        fill { if case .role(let role, let source) = $0 { pool.take(role, source) } else { [] } }
        fill { if case .source(let source) = $0 { pool.take(source) } else { [] } }
        let silent = pool.people
        let speaker = memory.speaker(among: silent, at: time) ?? silent.first?.id
        fill { $0 == .speaking ? pool.take(speaker) : [] }
        fill { $0 == .rest ? pool.takeAll() : [] }
        return occupants
    }
}

/// Whom no region has yet.
private struct RegionPool {
    private let stage: Stage
    private var subjects: [TileSubject]

    init(_ stage: Stage) {
        self.stage = stage
        subjects = stage.tileSubjects
    }

    /// Everybody whose own tile is left, in order of arrival.
    var people: [Stage.Person] { stage.people.filter { subjects.index(of: $0.id) != nil } }

    /// Of several people with one name the first, or all their screens.
    mutating func take(named name: String, _ source: Region.Source?) -> [TileSubject] {
        let named = stage.people.filter { $0.name.lowercased() == name.lowercased() }
        for person in named {
            let found = take { $0.participant == person.id && $0.isFrom(source) }
            if !found.isEmpty { return found }
        }
        return []
    }

    mutating func take(_ number: Int, of people: [Stage.Person], _ source: Region.Source?) -> [TileSubject] {
        guard people.indices.contains(number - 1) else { return [] }
        let id = people[number - 1].id
        return take { $0.participant == id && $0.isFrom(source) }
    }

    mutating func take(_ role: Region.Role, _ source: Region.Source?) -> [TileSubject] {
        let people = Set(stage.people.filter { $0.hasTracks == (role == .broadcaster) }.map(\.id))
        return take { people.contains($0.participant) && $0.isFrom(source) }
    }

    mutating func take(_ source: Region.Source) -> [TileSubject] { take { $0.isFrom(source) } }

    mutating func take(_ participant: ParticipantID?) -> [TileSubject] {
        take { $0.participant == participant && $0.kind == .person }
    }

    mutating func takeAll() -> [TileSubject] { take { _ in true } }

    private mutating func take(where isWanted: (TileSubject) -> Bool) -> [TileSubject] {
        let found = subjects.filter(isWanted)
        subjects.removeAll(where: isWanted)
        return found
    }
}

extension TileSubject {
    /// Whether it shows this source live; without one, whether it is somebody's own tile.
    fileprivate func isFrom(_ source: Region.Source?) -> Bool {
        switch source {
        case nil: kind == .person
        case .camera?: kind != .screen && content != .avatar
        case .screen?: kind == .screen
        }
    }
}
