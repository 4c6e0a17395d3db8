import CallbotTesting
import Composition
import MediaEngines
import MediaTesting
import MediaTypes
import Testing

@testable import Rendering

private let green = Colour(0x34A853)
private let size = PixelSize(width: 640, height: 360)
private let left = PixelRectangle(x: 0, y: 90, width: 320, height: 180)
private let right = PixelRectangle(x: 320, y: 90, width: 320, height: 180)

private func tile(_ name: String, _ place: PixelRectangle, _ state: Tile.State = Tile.State()) -> Tile {
    Tile(
        rectangle: place, participant: ParticipantID(name), content: .avatar, contentMode: .fit, label: name,
        state: state)
}

private func scene(_ first: Tile.State = Tile.State(), _ second: Tile.State = Tile.State()) -> Scene {
    Scene(canvas: size, tiles: [tile("Ana", left, first), tile("Bo", right, second)])
}

private func settings(_ change: (inout RenderSettings) -> Void = { _ in }) -> RenderSettings {
    var settings = RenderSettings()
    settings.size = size
    change(&settings)
    return settings
}

/// One picture with everything on it.
private func drawn(_ scene: Scene, _ settings: RenderSettings) -> Canvas {
    let compositor = Compositor(settings, windowLength: 1)
    compositor.prepare(scene, number: 1, on: page(0))
    compositor.finish(scene, on: page(0))
    return compositor.canvas(of: page(0))
}

private func spot(_ x: Int, _ y: Int) -> PixelRectangle { PixelRectangle(x: x, y: y, width: 1, height: 1) }

@Test func onlyTheTileOfWhoBeginsToSpeakIsDrawnAgain() {
    let compositor = Compositor(settings(), windowLength: 2)
    let states: [(Tile.State, [PixelRectangle]?)] = [
        (Tile.State(), nil), (Tile.State(), []), (Tile.State(isSpeaking: true), [right]),
        (Tile.State(isSpeaking: true), []), (Tile.State(), [right]), (Tile.State(), []), (Tile.State(), []),
    ]
    for (tick, (state, changes)) in states.enumerated() {
        let scene = scene(Tile.State(), state)
        compositor.prepare(scene, number: 1, on: page(Int64(tick)))
        compositor.finish(scene, on: page(Int64(tick)))
        #expect(compositor.changes(of: scene, on: page(Int64(tick))) == changes, "tick \(tick)")
        // The frame is inside the tile.
        let canvas = compositor.canvas(of: page(Int64(tick)))
        for (x, y) in [(320, 180), (638, 180), (480, 90), (480, 268), (321, 91), (639, 269)] {
            #expect(canvas.shows(green, in: spot(x, y)) == state.isSpeaking, "tick \(tick) at \(x), \(y)")
        }
        #expect(!canvas.shows(green, in: spot(318, 180)) && !canvas.shows(green, in: spot(324, 180)))
    }
}

@Test func theFrameIsLeftOutWhenItIsNotWanted() {
    let speaking = scene(Tile.State(isSpeaking: true))
    #expect(drawn(speaking, settings()).shows(green, in: spot(0, 180)))
    #expect(!drawn(speaking, settings { $0.marksSpeakers = false }).shows(green, in: spot(0, 180)))
}

/// ARC-13: a sign for a muted microphone and one for a muted camera, side by side at the bottom right.
@Test func whatIsMutedHasABadge() {
    func whitePixels(_ state: Tile.State, _ settings: RenderSettings = settings()) -> [Int] {
        let canvas = drawn(scene(state), settings)
        // Above each other's column: a badge is 16 wide, 4 from the edge, and the next one 2 further.
        return [300, 280].map { x in
            (x..<x + 16).reduce(0) { sum, x in
                sum + (250..<266).count { canvas.pixel(atX: x, y: $0).luma > 180 }
            }
        }
    }
    let microphone = whitePixels(Tile.State(isMicrophoneMuted: true))
    #expect(microphone[0] > 15 && microphone[1] == 0)
    let both = whitePixels(Tile.State(isMicrophoneMuted: true, isCameraMuted: true))
    #expect(both[0] == microphone[0] && both[1] > 15)
    let camera = whitePixels(Tile.State(isCameraMuted: true))
    #expect(camera[0] > 15 && camera[1] == 0 && camera[0] != microphone[0])
    #expect(whitePixels(Tile.State(isSpeaking: true)) == [0, 0])
    #expect(whitePixels(Tile.State(isMicrophoneMuted: true), settings { $0.hasBadges = false }) == [0, 0])
}

@Test func roundCornersShowWhatLiesBehind() {
    let background = Colour(0x804020)
    let settings = settings {
        $0.background = background
        $0.cornerRadius = 24
    }
    let above = PixelRectangle(x: 100, y: 100, width: 160, height: 90)
    let large = tile("Ana", PixelRectangle(size))
    let scene = Scene(canvas: size, tiles: [large, tile("Bo", above, Tile.State(isSpeaking: true))])
    let compositor = Compositor(settings, windowLength: 1)
    // Often enough for every canvas to be used again.
    for tick in Int64(0)..<8 {
        compositor.prepare(scene, number: 1, on: page(tick))
        compositor.finish(scene, on: page(tick))
        let canvas = compositor.canvas(of: page(tick))
        for (x, y) in [(0, 0), (639, 0), (0, 359), (639, 359)] {
            #expect(canvas.shows(background, in: spot(x, y)), "\(x), \(y)")
        }
        #expect(!canvas.shows(background, in: spot(24, 0)))
        // The small tile has the large one behind it.
        #expect(canvas.pixel(atX: 100, y: 100) == canvas.pixel(atX: 60, y: 60))
        #expect(canvas.shows(green, in: spot(180, 100)))
        #expect(canvas.pixel(atX: 107, y: 107) == compositor.canvas(of: page(0)).pixel(atX: 107, y: 107))
    }
}

@Test func aBackgroundPictureFillsTheCanvasAndShowsAtTheCorners() throws {
    // Twice as high as the canvas is: what is above and below is cut off.
    let picture = Canvas(size: PixelSize(width: 320, height: 360))
    picture.clear(.white)
    picture.fill(PixelRectangle(x: 0, y: 90, width: 160, height: 180), green)
    picture.fill(PixelRectangle(x: 160, y: 90, width: 160, height: 180), .black)
    let background = try PictureFile.read(PictureFile.png(picture))
    let settings = settings {
        $0.backgroundPicture = background
        $0.cornerRadius = 40
    }
    let canvas = drawn(scene(), settings)
    for (x, y) in [(2, 2), (316, 2), (2, 357), (0, 90), (316, 90), (0, 268)] {
        #expect(canvas.shows(green, in: spot(x, y)), "\(x), \(y)")
    }
    for (x, y) in [(326, 2), (637, 357), (639, 90), (322, 268)] {
        #expect(canvas.shows(.black, in: spot(x, y)), "\(x), \(y)")
    }
    #expect(!canvas.shows(green, in: spot(40, 91)) && !canvas.shows(.black, in: spot(600, 91)))
}

@Test func theClockIsDrawnOnceASecond() {
    let unknown = settings { $0.hasClock = true }
    #expect(ClockFace(unknown, painter: LabelPainter()) == nil)
    var settings = unknown
    // 23:59:58.6 of some day.
    settings.origin = WallTime(microseconds: 1_000_000 * 86_400 * 20_000 - 1_400_000)
    let compositor = Compositor(settings, windowLength: 2)
    var texts: [Int64: String] = [:]
    for tick in Int64(0)..<60 {
        let scene = scene()
        compositor.prepare(scene, number: 1, on: page(tick))
        compositor.finish(scene, on: page(tick))
        let changes = compositor.changes(of: scene, on: page(tick))
        if let place = changes?.first {
            texts[tick] = ClockFace(settings, painter: LabelPainter())?.text(at: tick)
            #expect(place.right == 640 && place.y == 0 && changes?.count == 1)
        }
    }
    #expect(texts == [10: "23:59:59", 35: "00:00:00"])
    let (clock, none) = (compositor.canvas(of: page(59)), drawn(scene(), RenderSettings()))
    let isWritten = (560..<640).contains { x in (0..<20).contains { clock.pixel(atX: x, y: $0).luma > 180 } }
    #expect(isWritten && none.pixel(atX: 639, y: 0) != clock.pixel(atX: 639, y: 0))
}

/// OVC-12: size and rate are written on a picture, and written anew only when the rate of a second is another.
@Test func statisticsAreDrawnWhenTheyChange() throws {
    func label(_ canvas: Canvas) -> Int { (200..<270).count { canvas.pixel(atX: 12, y: $0).luma < 150 } }
    var call = SyntheticCall()
    try call.film(1, 0..<2000) { _ in .white }
    let track = PictureTrack(id: TrackID(1))
    track.isStarted = true
    for case (_, .frame(let frame, _)) in call.sorted { track.append(frame) }
    var tile = tile("Ana", left)
    tile.content = .picture(track.id)
    let scene = Scene(canvas: size, tiles: [tile])
    let compositor = Compositor(settings { $0.hasStatistics = true }, windowLength: 12)
    var changed: [Int64] = []
    for tick in Int64(0)..<120 {
        compositor.prepare(scene, number: 1, on: page(tick))
        track.decode(upTo: track.assign(before: TimelineTime.ms(tick * 40 + 20)) { _ in }, inSecond: tick / 25)
        compositor.draw(track, in: tile, index: 0, on: page(tick))
        track.endWindow()
        compositor.finish(scene, on: page(tick))
        if compositor.changes(of: scene, on: page(tick)) != [] { changed.append(tick) }
    }
    #expect(changed == Array(0..<50) + [50, 75])
    // A second line makes the label's box higher.
    let plain = Compositor(settings(), windowLength: 1)
    plain.prepare(scene, number: 1, on: page(0))
    plain.draw(track, in: tile, index: 0, on: page(0))
    #expect(label(plain.canvas(of: page(0))) > 10)
    #expect(label(compositor.canvas(of: page(119))) > label(plain.canvas(of: page(0))) + 5)
}

/// What is kept and copied from tick to tick is what would be drawn anew.
@Test(arguments: [0, 12])
func everyTickLooksAsIfItWereTheFirst(cornerRadius: Int) throws {
    var call = SyntheticCall()
    try call.film(1, 0..<800) { canvas, time in
        canvas.clear(Colour(UInt32(0x10_4080 + time * 0x100)))
        canvas.fill(PixelRectangle(x: Int(time) / 8, y: 40, width: 80, height: 80), .white)
    }
    let track = PictureTrack(id: TrackID(1))
    track.isStarted = true
    for case (_, .frame(let frame, _)) in call.sorted { track.append(frame) }
    _ = track.assign(before: .ms(800)) { _ in }
    let settings = settings {
        $0.size = PixelSize(width: 160, height: 90)
        $0.cornerRadius = cornerRadius
        $0.hasClock = true
        $0.origin = WallTime(microseconds: 500_000)
    }
    var large = tile("Ana", PixelRectangle(settings.size))
    large.content = .picture(track.id)
    let small = [tile("Bo", PixelRectangle(x: 8, y: 8, width: 60, height: 34))]
    let ring = Compositor(settings, windowLength: 2)
    for tick in Int64(0)..<30 {
        // The picture moves for some ticks, stands still for some; people speak and are muted at other times.
        track.decode(upTo: min(20, Int(tick) / 4 * 3 + min(2, Int(tick) % 4)), inSecond: 0)
        var scene = Scene(canvas: settings.size, tiles: [large] + small)
        scene.tiles[0].state = Tile.State(isSpeaking: tick % 7 < 3)
        scene.tiles[1].state = Tile.State(isSpeaking: tick % 5 == 1, isMicrophoneMuted: tick % 11 > 6)
        let fresh = Compositor(settings, windowLength: 2)
        for compositor in [ring, fresh] {
            compositor.prepare(scene, number: 1, on: page(tick))
            compositor.draw(track, in: scene.tiles[0], index: 0, on: page(tick))
            compositor.finish(scene, on: page(tick))
        }
        let (got, wanted) = (ring.canvas(of: page(tick)), fresh.canvas(of: page(tick)))
        let differences = (0..<90).reduce(0) { sum, y in
            sum + (0..<160).count { got.pixel(atX: $0, y: y) != wanted.pixel(atX: $0, y: y) }
        }
        #expect(differences == 0, "tick \(tick)")
    }
}

/// The page of a tick, where every tick is drawn.
private func page(_ tick: Int64) -> Compositor.Page { Compositor.Page(number: tick, tick: tick) }
