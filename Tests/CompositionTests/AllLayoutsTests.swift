import Composition
import MediaTypes
import Testing

private let canvases = [
    landscape, portrait, PixelSize(width: 1920, height: 1080), PixelSize(width: 640, height: 480),
    PixelSize(width: 320, height: 180),
]

/// Where the layout lets tiles lie above others: a corner, or small ones above a large one.
private func mayOverlap(_ name: LayoutName, _ tiles: [Tile], on canvas: PixelSize) -> Bool {
    switch name {
    case .floating: true
    case .openVideoCall, .arCall: tiles.count == 2 && tiles[0].rectangle == PixelRectangle(canvas)
    default: false
    }
}

private func expectSound(_ tiles: [Tile], on canvas: PixelSize, mayOverlap: Bool, _ comment: Comment) {
    let places = tiles.rectangles
    #expect(places.allSatisfy { !$0.isEmpty && $0.intersection(PixelRectangle(canvas)) == $0 }, comment)
    #expect(places.allSatisfy { ($0.x | $0.y | $0.width | $0.height) & 1 == 0 }, comment)
    if !mayOverlap {
        let pairs = places.indices.filter { index in
            places[..<index].contains { !$0.intersection(places[index]).isEmpty }
        }
        #expect(pairs.isEmpty, comment)
    }
}

@Suite struct AllLayoutsTests {
    /// ALL-01: inside the canvas, even, apart, and everybody there unless strict.
    @Test(arguments: LayoutName.allCases, canvases)
    func everyLayoutIsSound(name: LayoutName, canvas: PixelSize) {
        for viewpoint in [nil, id(1)] {
            for isStrict in [false, true] {
                let layouter = name.layouter(
                    options {
                        $0.viewpoint = viewpoint
                        $0.isStrict = isStrict
                    })
                for count in 1...50 {
                    let tiles = layouter.tiles(people(1...count), on: canvas)
                    let comment = Comment("\(name) \(count) on \(canvas), strict \(isStrict)")
                    expectSound(tiles, on: canvas, mayOverlap: mayOverlap(name, tiles, on: canvas), comment)
                    #expect(isStrict ? 1...count ~= tiles.count : tiles.count == count, comment)
                    #expect(Set(tiles.map(\.participant)).count == tiles.count, comment)
                }
            }
        }
    }

    /// ALL-01: the same with other gaps, margins, scales and pages.
    @Test(arguments: LayoutName.allCases)
    func everyLayoutIsSoundWithOptions(name: LayoutName) {
        let choices: [(inout LayoutOptions) -> Void] = [
            { $0.gap = 7 }, { $0.margin = 33 }, { $0.layoutScale = 2 }, { $0.overflow = .reflow },
            { $0.overflow = .page(every: .seconds(1)) },
            {
                $0.gap = 0
                $0.margin = 10_000
            },
        ]
        for (index, choice) in choices.enumerated() {
            for canvas in canvases {
                for count in 1...50 {
                    let tiles = name.layouter(options(choice)).tiles(people(1...count), on: canvas, at: 3)
                    let comment = Comment("\(name) \(count) on \(canvas), choice \(index)")
                    expectSound(tiles, on: canvas, mayOverlap: name == .floating, comment)
                }
            }
        }
    }

    /// ALL-01: who is full has the whole canvas, and the small ones above are apart.
    @Test(arguments: [LayoutName.openVideoCall, .openLive], canvases)
    func stripsAreSound(name: LayoutName, canvas: PixelSize) {
        for count in 3...50 {
            let tiles = name.layouter(options { $0.full = id(2) }).tiles(people(1...count), on: canvas)
            #expect(tiles[0].rectangle == PixelRectangle(canvas) && tiles[0].participant == id(2))
            expectSound(Array(tiles.dropFirst()), on: canvas, mayOverlap: false, "\(name) \(count) on \(canvas)")
        }
    }

    /// A story with everything that layouts look at: people come, go, talk, mute and share.
    private func story() -> [(stage: Stage, seconds: Double)] {
        (0..<120).map { step in
            var stage = people((1...9).filter { (step / $0) % 3 != 1 })
            stage = stage.with(step % 7) { $0.isSpeaking = true }
            stage = stage.with(step % 5) {
                $0.camera = nil
                $0.isCameraMuted = true
            }
            stage = stage.with(step / 20) {
                $0.furtherPictures = [.init(track: TrackID(50), source: .screenShare)]
            }
            return (stage, Double(step) / 4)
        }
    }

    /// ALL-02, as far as it is geometry: the same stages at the same times give the same scenes.
    @Test(arguments: LayoutName.allCases)
    func sameStoryGivesTheSameScenes(name: LayoutName) {
        func scenes() -> [[Tile]] {
            var layouter = name.layouter(
                options {
                    $0.viewpoint = id(2)
                    $0.full = id(3)
                    $0.overflow = .page(every: .seconds(1))
                })
            return story().map { layouter.next($0.stage, at: $0.seconds) }
        }
        let first = scenes()
        #expect(first == scenes() && Set(first).count > 10)
    }

    /// ALL-03, as far as it is geometry: the first scene after a join or a leave has the change.
    @Test(arguments: LayoutName.allCases)
    func joinAndLeaveShowAtOnce(name: LayoutName) {
        var layouter = name.layouter()
        for numbers in [[1], [1, 2], [1, 2, 3], [1, 3], [3], [3, 1]] {
            #expect(Set(layouter.next(people(numbers)).map(\.participant)) == Set(numbers.map(id)))
        }
        #expect(layouter.next(Stage(people: [])).isEmpty)
    }

    /// ALL-05: the viewpoint is where the app puts oneself: last, in the corner, at the bottom; or first.
    @Test(arguments: [
        (LayoutName.openVideoCall, 5, 4), (.openVideoCall, 2, 1), (.dropIn, 5, 4), (.openLive, 5, 0), (.arCall, 5, 0),
        (.arCall, 2, 1), (.artc, 5, 0),
    ])
    func viewpointIsWhereTheAppPutsOneself(name: LayoutName, count: Int, place: Int) {
        for viewer in 1...count {
            let tiles = name.layouter(options { $0.viewpoint = id(viewer) }).tiles(people(1...count), on: landscape)
            #expect(tiles[place].participant == id(viewer))
            let others = tiles.map(\.participant).filter { $0 != id(viewer) }
            #expect(others == (1...count).filter { $0 != viewer }.map(id))
        }
        let absent = name.layouter(options { $0.viewpoint = id(99) }).tiles(people(1...count), on: landscape)
        #expect(absent == name.layouter().tiles(people(1...count), on: landscape))
    }

    /// ART-14: screen and camera of one person are two tiles, next to each other, in every list of equals.
    @Test(arguments: [LayoutName.grid, .openVideoCall, .openLive, .dropIn, .arCall, .artc, .bestFit])
    func screenIsBesideItsOwner(name: LayoutName) throws {
        let stage = people(1...5).with(3) {
            $0.furtherPictures = [.init(track: TrackID(50), source: .screenShare)]
        }
        for viewpoint in [nil, id(1), id(3)] {
            let tiles = name.layouter(options { $0.viewpoint = viewpoint }).tiles(stage, on: landscape)
            let own = try #require(tiles.order.firstIndex(of: "p3"))
            let screen = try #require(tiles.order.firstIndex(of: "p3'"))
            #expect(tiles.count == 6 && abs(own - screen) == 1)
            #expect(tiles[screen].content == .picture(TrackID(50)))
        }
    }

    @Test func namesAreTheOnesPeopleWrite() {
        let names = "grid speaker screen openvideocall openlive dropin arcall artc floating bestfit vertical"
        #expect(LayoutName.allCases.map(\.rawValue).joined(separator: " ") == names)
        let plain = GridLayouter().tiles(people(1...7), on: landscape)
        #expect(LayoutName.grid.layouter().tiles(people(1...7), on: landscape) == plain)
    }
}
