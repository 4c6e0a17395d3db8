package import MediaTypes

/// A layout: from who is on stage to who is drawn where. The answer depends on the arguments alone, so that a recording
/// rendered twice looks the same twice; a layout with a memory (who spoke last, which page is up) is handed what it needs.
package protocol Layouter: Sendable {
    /// - Parameters:
    ///   - stage: the people and pictures at `time`.
    ///   - canvas: the size of the composite, in pixels; both sides even.
    ///   - time: the moment on the timeline, for layouts that turn pages.
    mutating func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene
}

/// One thing to be placed: a person's own tile, or one of their further pictures. Layouts turn a stage into a list of
/// these and give each a rectangle.
package struct TileSubject: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The person's own tile: their camera or its stand-in.
        case person
        case screen
        /// A camera after the first.
        case furtherCamera
    }

    package var participant: ParticipantID
    package var kind: Kind
    package var content: Tile.Content
    package var label: String
    /// Of a person's own tile; none of it for their further pictures.
    package var state = Tile.State()

    package func tile(in rectangle: PixelRectangle, _ contentMode: Tile.ContentMode) -> Tile {
        Tile(
            rectangle: rectangle, participant: participant, content: content, contentMode: contentMode, label: label,
            state: state)
    }
}

extension Stage {
    /// Everything that wants a tile, in order: each person, and right after each their screens and further cameras.
    package var tileSubjects: [TileSubject] { people.flatMap(\.tileSubjects) }
}

extension Stage.Person {
    /// The person's own tile, then those of their screens and further cameras.
    package var tileSubjects: [TileSubject] {
        let name = name.isEmpty ? id.value : name
        let own = TileSubject(
            participant: id, kind: .person, content: camera.map { .picture($0.track) } ?? .avatar, label: name,
            state: Tile.State(
                isSpeaking: isSpeaking, isMicrophoneMuted: isMicrophoneMuted, isCameraMuted: isCameraMuted))
        let further = furtherPictures.map { picture in
            let isScreen = picture.source == .screenShare
            return TileSubject(
                participant: id, kind: isScreen ? .screen : .furtherCamera, content: .picture(picture.track),
                label: isScreen ? "\(name) (screen)" : name)
        }
        return [own] + further
    }
}
