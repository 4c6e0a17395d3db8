package import MediaTypes

/// What can be chosen about a layout. Each layout heeds what makes sense for it.
package struct LayoutOptions: Hashable, Sendable {
    /// Whose view of the call it is: an app shows that person as "myself". Nobody is special when nil, or when they are
    /// not there.
    package var viewpoint: ParticipantID?
    /// Who fills the canvas, the others in small above it; who is large when two talk. Until they leave.
    package var full: ParticipantID?
    /// Who has the large place, where there is one, in place of the speaker or the first.
    package var pinned: ParticipantID?
    /// Exactly as the app, hiding whoever it hides.
    package var isStrict = false
    package var overflow = OverflowPolicy.scale
    /// Pixels between tiles; nil for the layout's own. Layouts made of fractions have none.
    package var gap: Int?
    /// Pixels around all tiles; nil for the layout's own.
    package var margin: Int?
    /// Nil for the layout's own.
    package var contentMode: Tile.ContentMode?
    /// Pixels a point of the app is, more than zero: 2 looks like a phone's canvas of twice as many pixels.
    package var layoutScale = 1.0
    /// From when on somebody has a tile; nil for the layout's own.
    package var entrance: Entrance?
    /// `openVideoCall`: how many are in small above who is full. The app has four.
    package var stripMaximum = 4
    /// `arCall`: whether two are one large and one small (true) or side by side (false); nil for the former when one of
    /// them is the viewpoint.
    package var isOneToOne: Bool?
    /// How long a speaker stays large, even when another speaks.
    package var speakerHold = Duration.seconds(2)

    package init() {}

    /// Pixels of a length that the app states in points.
    func points(_ length: Double) -> Double { length * layoutScale }

    /// Pixels between tiles, where the app has this many points.
    func gap(own points: Double) -> Double { gap.map(Double.init) ?? self.points(points) }
}
