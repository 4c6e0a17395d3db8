import Composition
import MediaEngines
import MediaTypes

/// Draws scenes on a ring of canvases, one for each tick of a window that is drawn, so that one stream's pictures can be
/// decoded and drawn for many ticks in a row; the window before is being encoded meanwhile. Each canvas knows what it
/// shows in every tile: what it shows already is not drawn again, and what the canvas before it shows is copied instead
/// of scaled.
final class Compositor {
    private final class Sheet {
        let canvas: Canvas
        /// Which scene is drawn; none at the start.
        var sceneNumber = 0
        /// What is drawn in each tile of the scene.
        var drawn: [Drawn] = []
        /// The tiles that have a canvas of their own, since streams are drawn in any order: those that lie above
        /// others, and where corners are round, which lets one see them, those below too.
        var layers: [Int: Layer] = [:]
        /// What the clock says.
        var clock: String?
        init(size: PixelSize) { canvas = Canvas(size: size) }
    }

    private struct Layer {
        var canvas: Canvas
        var isAbove: Bool
    }

    private struct Drawn: Equatable {
        enum Content: Equatable {
            case nothing
            case avatar
            /// The picture of the tile's track with this number.
            case picture(Int)
        }
        var content = Content.nothing
        var marks = TileMarks.Marks()
    }

    private let settings: RenderSettings
    private let background: Canvas
    private let sheets: [Sheet]
    private let avatars: AvatarPainter
    private let marks: TileMarks
    private let clock: ClockFace?
    private let painter = LabelPainter()
    private var roundedTiles: [PixelSize: Mask] = [:]

    init(_ settings: RenderSettings, windowLength: Int) {
        self.settings = settings
        background = Canvas(size: settings.size)
        background.clear(settings.background)
        if let picture = settings.backgroundPicture {
            let whole = PixelRectangle(settings.size)
            let placement = PicturePlacement(of: picture.size, in: whole, .crop)
            background.draw(picture, into: placement.region, cropping: placement.cropping)
        }
        // The window that is drawn, the one before it, and what that one was copied from.
        sheets = (0...2 * windowLength).map { _ in Sheet(size: settings.size) }
        avatars = AvatarPainter(labels: painter)
        marks = TileMarks(settings, painter: painter)
        clock = ClockFace(settings, painter: painter)
    }

    /// One tick that is drawn: the ticks' numbers may have gaps, those of the pages have none.
    struct Page: Hashable {
        var number: Int64
        var tick: Int64
    }

    func canvas(of page: Page) -> Canvas { sheet(of: page).canvas }

    /// Makes the canvas of a page ready for a scene, and draws all of it that is not a track's picture. Scenes are
    /// numbered from 1, and the number changes with the arrangement; what is marked on tiles may differ in scenes of one
    /// number.
    func prepare(_ scene: Scene, number: Int, on page: Page) {
        let sheet = sheet(of: page)
        if sheet.sceneNumber != number { clear(sheet, for: scene, number: number) }
        for (index, tile) in scene.tiles.enumerated() where tile.content == .avatar {
            drawAvatar(tile, index: index, on: sheet)
        }
    }

    private func clear(_ sheet: Sheet, for scene: Scene, number: Int) {
        sheet.sceneNumber = number
        sheet.drawn = scene.tiles.map { _ in Drawn() }
        sheet.layers = [:]
        for (index, tile) in scene.tiles.enumerated() {
            func meets(_ other: Tile) -> Bool { !other.rectangle.intersection(tile.rectangle).isEmpty }
            let isAbove = scene.tiles[..<index].contains(where: meets)
            let isBelow = settings.cornerRadius > 0 && scene.tiles[(index + 1)...].contains(where: meets)
            if isAbove || isBelow {
                sheet.layers[index] = Layer(canvas: Canvas(size: tile.rectangle.size), isAbove: isAbove)
            }
        }
        sheet.canvas.copy(PixelRectangle(background.size), from: background)
        if scene.tiles.isEmpty { drawTitle(on: sheet.canvas) }
        for (index, tile) in scene.tiles.enumerated() where tile.content == .background {
            let (canvas, place) = place(of: tile, index: index, on: sheet)
            canvas.copy(tile.rectangle, of: background, toX: place.x, y: place.y)
        }
    }

    /// Brings a tile that shows a track up to that track's present picture.
    func draw(_ track: PictureTrack, in tile: Tile, index: Int, on page: Page) {
        let sheet = sheet(of: page)
        guard track.version > 0 else { return drawAvatar(tile, index: index, on: sheet) }
        let picture = track.picture
        var wanted = Drawn(
            content: .picture(track.version),
            marks: marks.marks(on: tile, hasPicture: true, statistics: statistics(of: track, at: page.tick)))
        let before = self.sheet(before: page)
        let isComparable = page.number > 0 && before.sceneNumber == sheet.sceneNumber
        // A picture that can be drawn no more stays as it is, with what was marked on it.
        if picture == nil, isComparable, before.drawn[index].content == wanted.content { wanted = before.drawn[index] }
        if sheet.drawn[index] == wanted { return }
        let (canvas, place) = place(of: tile, index: index, on: sheet)
        if isComparable, before.drawn[index] == wanted {
            canvas.copy(place, from: self.place(of: tile, index: index, on: before).canvas)
            sheet.drawn[index] = wanted
        } else if let picture {
            draw(picture, of: tile, index: index, on: sheet)
            marks.draw(wanted.marks, on: canvas, in: place)
            sheet.drawn[index] = wanted
        } else {
            drawAvatar(tile, index: index, on: sheet)
        }
    }

    private func statistics(of track: PictureTrack, at tick: Int64) -> String? {
        guard settings.hasStatistics, let size = track.picture?.size,
            let rate = track.rate.value(inSecond: tick / Int64(settings.framesPerSecond))
        else { return nil }
        return "\(size.width)×\(size.height), \(rate)fps"
    }

    /// Puts the tiles that have canvases of their own where they belong, in their order, and the clock above all. To be
    /// called when all streams have been drawn.
    func finish(_ scene: Scene, on page: Page) {
        let sheet = sheet(of: page)
        let layers = sheet.layers.sorted { $0.key < $1.key }.map { (scene.tiles[$0.key].rectangle, $0.value) }
        for (place, layer) in layers where layer.isAbove && settings.cornerRadius > 0 {
            // What shows at a corner must not be what was blended there before.
            sheet.canvas.copy(place, from: background)
        }
        for (place, layer) in layers {
            let whole = PixelRectangle(layer.canvas.size)
            if layer.isAbove, settings.cornerRadius > 0 {
                let mask = roundedTile(place.size)
                sheet.canvas.copy(whole, of: layer.canvas, toX: place.x, y: place.y, through: mask)
            } else {
                sheet.canvas.copy(whole, of: layer.canvas, toX: place.x, y: place.y)
            }
        }
        if let clock {
            let text = clock.text(at: page.tick)
            clock.draw(text, on: sheet.canvas)
            sheet.clock = text
        }
    }

    private func roundedTile(_ size: PixelSize) -> Mask {
        if let mask = roundedTiles[size] { return mask }
        if roundedTiles.count >= 32 { roundedTiles.removeAll() }
        let mask = Mask.roundedRectangle(size, radius: Double(marks.radius(of: size)))
        roundedTiles[size] = mask
        return mask
    }

    /// Where a tile is drawn.
    private func place(of tile: Tile, index: Int, on sheet: Sheet) -> (canvas: Canvas, rectangle: PixelRectangle) {
        sheet.layers[index].map { ($0.canvas, PixelRectangle($0.canvas.size)) } ?? (sheet.canvas, tile.rectangle)
    }

    /// Where the canvas of a page differs from the one before; nil when it may differ anywhere.
    func changes(of scene: Scene, on page: Page) -> [PixelRectangle]? {
        let (sheet, before) = (sheet(of: page), sheet(before: page))
        guard page.number > 0, before.sceneNumber == sheet.sceneNumber else { return nil }
        let tiles = scene.tiles.indices.filter { sheet.drawn[$0] != before.drawn[$0] }
        let places = tiles.map { scene.tiles[$0].rectangle }
        guard let clock, sheet.clock != before.clock else { return places }
        return places + [clock.place]
    }

    /// The tiles in which the canvas of a page shows a picture.
    func pictures(of scene: Scene, on page: Page) -> [PixelRectangle] {
        zip(scene.tiles, sheet(of: page).drawn).compactMap { tile, drawn in
            if case .picture = drawn.content { tile.rectangle } else { nil }
        }
    }

    private func sheet(of page: Page) -> Sheet { sheets[Int(page.number % Int64(sheets.count))] }

    private func sheet(before page: Page) -> Sheet {
        sheets[Int((page.number + Int64(sheets.count) - 1) % Int64(sheets.count))]
    }

    private func draw(_ picture: DecodedPicture, of tile: Tile, index: Int, on sheet: Sheet) {
        let (canvas, place) = place(of: tile, index: index, on: sheet)
        let placement = PicturePlacement(of: picture.size, in: place, tile.contentMode)
        // What is marked on a tile is half transparent: what it lies on must be fresh.
        if placement.region != place { canvas.copy(tile.rectangle, of: background, toX: place.x, y: place.y) }
        canvas.draw(picture, into: placement.region, cropping: placement.cropping)
        round(placement.region, of: tile, index: index, on: sheet)
    }

    /// Gives a part of a tile, or all of it, round corners.
    private func round(_ region: PixelRectangle, of tile: Tile, index: Int, on sheet: Sheet) {
        let (canvas, place) = place(of: tile, index: index, on: sheet)
        // A whole tile above others gets them when it is put there.
        if region == place, sheet.layers[index]?.isAbove == true { return }
        marks.round(
            region, on: canvas, over: background, atX: tile.rectangle.x + region.x - place.x,
            y: tile.rectangle.y + region.y - place.y)
    }

    private func drawAvatar(_ tile: Tile, index: Int, on sheet: Sheet) {
        let wanted = Drawn(content: .avatar, marks: marks.marks(on: tile, hasPicture: false))
        guard sheet.drawn[index] != wanted else { return }
        let avatar = avatars.avatar(name: tile.label, id: tile.participant, size: tile.rectangle.size)
        let (canvas, place) = place(of: tile, index: index, on: sheet)
        canvas.copy(PixelRectangle(place.size), of: avatar, toX: place.x, y: place.y)
        round(place, of: tile, index: index, on: sheet)
        marks.draw(wanted.marks, on: canvas, in: place)
        sheet.drawn[index] = wanted
    }

    private func drawTitle(on canvas: Canvas) {
        guard !settings.title.isEmpty else { return }
        let pixels = min(max(canvas.size.height / 18, 9), 64)
        let title = painter.label(settings.title, pixels: pixels, width: canvas.size.width * 9 / 10)
        canvas.blend(
            title, atX: (canvas.size.width - title.size.width) / 2, y: (canvas.size.height - title.size.height) / 2,
            Colour(0xE8EAED))
    }
}
