import MediaTypes

extension Scene {
    /// Each subject in the place at the same position. Who has no place, or one off the canvas, is not shown.
    init(
        on canvas: PixelSize, _ subjects: some Sequence<TileSubject>, in places: [FractionalRectangle],
        _ contentMode: Tile.ContentMode
    ) {
        self.init(
            canvas: canvas,
            tiles: zip(subjects, places).compactMap { subject, place in
                let rectangle = place.snapped(to: canvas)
                return rectangle.isEmpty ? nil : subject.tile(in: rectangle, contentMode)
            })
    }

    init(
        on canvas: PixelSize, _ subjects: [TileSubject], _ arrangement: Arrangement, _ contentMode: Tile.ContentMode
    ) {
        self.init(on: canvas, subjects[arrangement.shown], in: arrangement.rectangles, contentMode)
    }

    /// This scene as a part of a larger one.
    func tiles(in rectangle: PixelRectangle) -> [Tile] {
        tiles.map { tile in
            var tile = tile
            tile.rectangle.x += rectangle.x
            tile.rectangle.y += rectangle.y
            return tile
        }
    }
}
