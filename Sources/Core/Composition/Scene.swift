package import MediaTypes

/// What a canvas shows from one moment on: who is drawn where. Geometry only; nothing here knows a pixel's colour.
package struct Scene: Hashable, Sendable {
    package var canvas: PixelSize
    /// In drawing order: where two overlap, the later one is above.
    package var tiles: [Tile]

    package init(canvas: PixelSize, tiles: [Tile]) {
        self.canvas = canvas
        self.tiles = tiles
    }

    /// The same tiles without what is marked on them: two scenes that are equal so have everything in the same place.
    package var arrangement: Scene {
        var scene = self
        for index in scene.tiles.indices { scene.tiles[index].state = Tile.State() }
        return scene
    }
}

/// A rectangle of the canvas that belongs to one participant.
package struct Tile: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// The last picture of this track.
        case picture(TrackID)
        /// A drawn stand-in with the participant's name.
        case avatar
        /// The canvas's background, which hides what lies below; belongs to nobody.
        case background
    }

    /// What becomes of a picture whose shape is not the tile's.
    package enum ContentMode: Hashable, Sendable {
        /// The whole picture, with background at two sides.
        case fit
        /// The whole tile, with two sides of the picture cut off.
        case crop
    }

    /// What can be marked on somebody's own tile. It changes often, and no tile's place depends on it.
    package struct State: Hashable, Sendable {
        package var isSpeaking = false
        package var isMicrophoneMuted = false
        package var isCameraMuted = false

        package init(isSpeaking: Bool = false, isMicrophoneMuted: Bool = false, isCameraMuted: Bool = false) {
            self.isSpeaking = isSpeaking
            self.isMicrophoneMuted = isMicrophoneMuted
            self.isCameraMuted = isCameraMuted
        }
    }

    /// All four edges are even, so that they fall between the samples of 4:2:0 chroma.
    package var rectangle: PixelRectangle
    package var participant: ParticipantID
    package var content: Content
    package var contentMode: ContentMode
    /// The name to be written on the tile; never empty.
    package var label: String
    package var state: State

    package init(
        rectangle: PixelRectangle, participant: ParticipantID, content: Content, contentMode: ContentMode,
        label: String, state: State = State()
    ) {
        self.rectangle = rectangle
        self.participant = participant
        self.content = content
        self.contentMode = contentMode
        self.label = label
        self.state = state
    }

    /// A place where nobody is and nothing is to be seen.
    package static func background(in rectangle: PixelRectangle, of name: String) -> Tile {
        Tile(
            rectangle: rectangle, participant: ParticipantID(""), content: .background, contentMode: .fit, label: name)
    }
}
