/// A place of a layout of one's own, and who is shown there.
package struct Region: Hashable, Sendable {
    package enum Source: String, CaseIterable, Hashable, Sendable {
        case camera, screen
    }

    /// What somebody is in the room at a moment.
    package enum Role: String, CaseIterable, Hashable, Sendable {
        /// Sends sound or a picture.
        case broadcaster
        /// Listens and looks on.
        case audience
    }

    package enum Who: Hashable, Sendable {
        /// Whoever has this display name; upper and lower case are one. With a source: their live camera, or their
        /// screens. Without: their own tile, with or without a picture.
        case named(String, Source?)
        /// The first to arrive, the second …, from 1, of those whom no region names.
        case arrival(Int, Source?)
        /// All of a role whom no region above has. With a source as for a name.
        case role(Role, Source?)
        /// All live cameras, or all screens, that no region above has.
        case source(Source)
        /// Who speaks, or spoke last; before anybody has, the first to arrive. Not those who have a region already.
        case speaking
        /// Everybody and everything that has no region yet.
        case rest
    }

    /// What an empty region shows.
    package enum Emptiness: String, CaseIterable, Hashable, Sendable {
        /// Whatever lies below it.
        case nothing
        /// The background, above whatever lies below it.
        case background
    }

    package var name: String
    /// Of the canvas, 0 to 1.
    package var fractions: FractionalRectangle
    package var who: Who
    package var contentMode: Tile.ContentMode
    package var whenEmpty: Emptiness

    package init(
        name: String, fractions: FractionalRectangle, who: Who, contentMode: Tile.ContentMode = .fit,
        whenEmpty: Emptiness = .nothing
    ) {
        self.name = name
        self.fractions = fractions
        self.who = who
        self.contentMode = contentMode
        self.whenEmpty = whenEmpty
    }
}

/// A layout of one's own: regions in drawing order, later ones above earlier ones.
package struct RegionLayout: Hashable, Sendable {
    package var regions: [Region]
    /// Pixels between the tiles of those who share a region.
    package var gap = 4

    package init(regions: [Region]) { self.regions = regions }
}
