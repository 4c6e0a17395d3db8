import Composition
import MediaEngines
import MediaTypes

/// Draws scenes on a ring of canvases, one for each tick of a window, so that one stream's pictures can be decoded and drawn
/// for many ticks in a row; the window before is being encoded meanwhile. Each canvas knows what it shows in every tile: what it shows already is not drawn again, and
/// what the canvas before it shows is copied instead of scaled.
final class Compositor {
    private final class Sheet {
        let canvas: Canvas
        /// Which scene is drawn; none at the start.
        var sceneNumber = 0
        /// What is drawn in each tile of the scene.
        var drawn: [Drawn] = []
        /// The tiles that lie above others, each on a canvas of its own: streams are drawn in any order.
        var overlays: [Int: Canvas] = [:]
        init(size: PixelSize) { canvas = Canvas(size: size) }
    }

    private enum Drawn: Equatable {
        case nothing
        case avatar
        /// The picture of the tile's track with this number.
        case picture(Int)
    }

    private let settings: RenderSettings
    private let sheets: [Sheet]
    private let avatars: AvatarPainter
    private let labels: NameLabels
    private let painter = LabelPainter()

    init(_ settings: RenderSettings, windowLength: Int) {
        self.settings = settings
        // The window that is drawn, the one before it, and what that one was copied from.
        sheets = (0...2 * windowLength).map { _ in Sheet(size: settings.size) }
        avatars = AvatarPainter(labels: painter)
        labels = NameLabels(painter: painter)
    }

    func canvas(at tick: Int64) -> Canvas { sheet(at: tick).canvas }

    /// Makes the canvas of a tick ready for a scene; scenes are numbered from 1 and the number changes with the scene.
    func prepare(_ scene: Scene, number: Int, at tick: Int64) {
        let sheet = sheet(at: tick)
        guard sheet.sceneNumber != number else { return }
        sheet.sceneNumber = number
        sheet.drawn = scene.tiles.map { _ in .nothing }
        sheet.overlays = [:]
        for (index, tile) in scene.tiles.enumerated() {
            let isAbove = scene.tiles[..<index].contains { !$0.rectangle.intersection(tile.rectangle).isEmpty }
            if isAbove { sheet.overlays[index] = Canvas(size: tile.rectangle.size) }
        }
        sheet.canvas.clear(settings.background)
        if scene.tiles.isEmpty { drawTitle(on: sheet.canvas) }
        for (index, tile) in scene.tiles.enumerated() {
            switch tile.content {
            case .avatar: drawAvatar(tile, index: index, on: sheet)
            case .background:
                let (canvas, place) = place(of: tile, index: index, on: sheet)
                canvas.fill(place, settings.background)
            case .picture: break
            }
        }
    }

    /// Brings a tile that shows a track up to that track's present picture.
    func draw(_ track: PictureTrack, in tile: Tile, index: Int, at tick: Int64) {
        let sheet = sheet(at: tick)
        let picture = track.picture
        let wanted = track.version == 0 ? Drawn.avatar : .picture(track.version)
        if sheet.drawn[index] == wanted { return }
        let before = self.sheet(at: tick - 1)
        if tick > 0, before.sceneNumber == sheet.sceneNumber, before.drawn[index] == wanted {
            let (canvas, place) = place(of: tile, index: index, on: sheet)
            canvas.copy(place, from: self.place(of: tile, index: index, on: before).canvas)
            sheet.drawn[index] = wanted
        } else if let picture {
            let (canvas, place) = place(of: tile, index: index, on: sheet)
            draw(picture, of: tile, in: place, on: canvas)
            sheet.drawn[index] = wanted
        } else {
            drawAvatar(tile, index: index, on: sheet)
        }
    }

    /// Puts the tiles that lie above others where they belong, in their order. To be called when all streams have been drawn.
    func finish(_ scene: Scene, at tick: Int64) {
        let sheet = sheet(at: tick)
        for (index, tile) in scene.tiles.enumerated() {
            guard let overlay = sheet.overlays[index] else { continue }
            sheet.canvas.copy(PixelRectangle(overlay.size), of: overlay, toX: tile.rectangle.x, y: tile.rectangle.y)
        }
    }

    /// Where a tile is drawn.
    private func place(of tile: Tile, index: Int, on sheet: Sheet) -> (canvas: Canvas, rectangle: PixelRectangle) {
        sheet.overlays[index].map { ($0, PixelRectangle($0.size)) } ?? (sheet.canvas, tile.rectangle)
    }

    /// Where the canvas of a tick differs from the one before; nil when it may differ anywhere.
    func changes(of scene: Scene, at tick: Int64) -> [PixelRectangle]? {
        let (sheet, before) = (sheet(at: tick), sheet(at: tick - 1))
        guard tick > 0, before.sceneNumber == sheet.sceneNumber else { return nil }
        return scene.tiles.indices.filter { sheet.drawn[$0] != before.drawn[$0] }.map { scene.tiles[$0].rectangle }
    }

    /// The tiles in which the canvas of a tick shows a picture.
    func pictures(of scene: Scene, at tick: Int64) -> [PixelRectangle] {
        zip(scene.tiles, sheet(at: tick).drawn).compactMap { tile, drawn in
            if case .picture = drawn { tile.rectangle } else { nil }
        }
    }

    private func sheet(at tick: Int64) -> Sheet { sheets[Int((tick + Int64(sheets.count)) % Int64(sheets.count))] }

    private func draw(_ picture: DecodedPicture, of tile: Tile, in place: PixelRectangle, on canvas: Canvas) {
        let placement = PicturePlacement(of: picture.size, in: place, tile.contentMode)
        // A label is half transparent: what it lies on must be fresh.
        if placement.region != place { canvas.fill(place, settings.background) }
        canvas.draw(picture, into: placement.region, cropping: placement.cropping)
        if settings.hasLabels { labels.draw(tile.label, on: canvas, in: place) }
    }

    private func drawAvatar(_ tile: Tile, index: Int, on sheet: Sheet) {
        guard sheet.drawn[index] != .avatar else { return }
        let avatar = avatars.avatar(name: tile.label, id: tile.participant, size: tile.rectangle.size)
        let (canvas, place) = place(of: tile, index: index, on: sheet)
        canvas.copy(PixelRectangle(place.size), of: avatar, toX: place.x, y: place.y)
        sheet.drawn[index] = .avatar
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
