import Composition
import MediaTypes
import Testing

private let canvases = [
    PixelSize(width: 1280, height: 720), PixelSize(width: 1920, height: 1080), PixelSize(width: 640, height: 360),
    PixelSize(width: 720, height: 1280), PixelSize(width: 640, height: 480), PixelSize(width: 320, height: 180),
]

@Test(arguments: canvases)
func gridTilesAreEvenApartAndInside(canvas: PixelSize) {
    for count in 0...64 {
        let places = GridLayouter().rectangles(count: count, on: canvas)
        #expect(places.count == count)
        for (index, place) in places.enumerated() {
            #expect(place.x >= 0 && place.y >= 0 && place.right <= canvas.width && place.bottom <= canvas.height)
            #expect(place.x % 2 == 0 && place.y % 2 == 0 && place.width % 2 == 0 && place.height % 2 == 0)
            #expect(place.size == places[0].size)
            #expect(places[..<index].allSatisfy { $0.intersection(place).isEmpty })
            // 16:9 but for the rounding to even sides.
            #expect(abs(place.width * 9 - place.height * 16) <= 2 * 16)
        }
    }
}

@Test(arguments: [
    (1, 1, 1280, 720), (2, 2, 638, 358), (3, 2, 636, 358), (4, 2, 636, 358), (5, 3, 424, 238), (6, 3, 424, 238),
    (7, 3, 420, 236), (9, 3, 420, 236), (10, 4, 316, 178), (16, 4, 314, 176), (25, 5, 248, 140),
])
func gridHasTheLargestTiles(count: Int, columns: Int, width: Int, height: Int) throws {
    let places = GridLayouter().rectangles(count: count, on: PixelSize(width: 1280, height: 720))
    let first = try #require(places.first)
    #expect(Set(places.prefix(columns).map(\.y)) == [first.y])
    #expect(places.count <= columns || places[columns].y > first.y)
    #expect(first.size == PixelSize(width: width, height: height))
}

@Test func lastRowIsCentred() {
    let canvas = PixelSize(width: 1280, height: 720)
    for count in 1...64 {
        let places = GridLayouter().rectangles(count: count, on: canvas)
        for row in Dictionary(grouping: places, by: \.y).values {
            let left = row.map(\.x).min() ?? 0
            let right = canvas.width - (row.map(\.right).max() ?? 0)
            #expect(abs(left - right) <= 2)
        }
    }
}

@Test func tinyCanvasShowsWhatFits() {
    #expect(GridLayouter().rectangles(count: 9, on: PixelSize(width: 4, height: 4)).count == 4)
    #expect(GridLayouter().rectangles(count: 9, on: PixelSize(width: 0, height: 4)).isEmpty)
}

@Test func screenFollowsItsOwner() {
    let screen = Stage.Picture(track: TrackID(7), source: .screenShare)
    let stage = Stage(people: [
        .init(id: ParticipantID("1"), name: "Ana", furtherPictures: [screen]),
        .init(id: ParticipantID("2"), name: "", camera: .init(track: TrackID(3), source: .camera)),
    ])
    let scene = GridLayouter().scene(of: stage, on: PixelSize(width: 1280, height: 720), at: .zero)
    #expect(scene.tiles.map(\.content) == [.avatar, .picture(TrackID(7)), .picture(TrackID(3))])
    #expect(scene.tiles.map(\.label) == ["Ana", "Ana (screen)", "2"])
}

@Test func emptyStageIsAnEmptyScene() {
    let scene = GridLayouter().scene(of: Stage(people: []), on: PixelSize(width: 1280, height: 720), at: .zero)
    #expect(scene.tiles.isEmpty)
}
