import CallbotTesting
import Composition
import Foundation
import JSON
import MediaTypes
import Testing

private func layouter(_ text: String) throws -> RegionLayouter { RegionLayouter(try layout(text)) }

private func layout(_ text: String) throws -> RegionLayout { try RegionLayout(parsing: Array(text.utf8)) }

/// A layout of regions in columns of equal width, each with its `who`.
private func columns(_ whos: String...) throws -> RegionLayouter {
    let regions = whos.enumerated().map { index, who in
        let width = 1 / Double(whos.count)
        return "{name: '\(index)', x: \(width * Double(index)), y: 0, width: \(width), height: 1, who: \(who)}"
    }
    return try layouter("{regions: [\(regions.joined(separator: ", "))]}")
}

private func recipe(_ name: String) throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: root.appending(path: "recipes/layouts/\(name).json5")))
}

@Suite struct RegionLayouterTests {
    @Test func everyoneIsWhereTheirRegionIs() throws {
        let it = try columns("{arrival: 2}", "{name: 'p3'}", "{source: 'screen'}", "'rest'")
        let stage = people(1...4).with(1) {
            $0.furtherPictures = [.init(track: TrackID(50), source: .screenShare)]
        }
        let tiles = it.tiles(stage, on: landscape)
        #expect(tiles.order == ["p2", "p3", "p1'", "p1", "p4"])
        #expect(tiles[0].rectangle == PixelRectangle(x: 0, y: 0, width: 320, height: 720))
        #expect(tiles[1].rectangle.x == 320 && tiles[2].rectangle.x == 640)
        #expect(tiles[3].rectangle.x >= 960 && tiles[4].rectangle.y > tiles[3].rectangle.y)
    }

    @Test func whoSendsIsInAnotherPlaceThanWhoListens() throws {
        let it = try columns("{role: 'audience'}", "{role: 'broadcaster', source: 'screen'}", "{role: 'broadcaster'}")
        let stage = people(1...4).with(1) {
            $0.furtherPictures = [.init(track: TrackID(50), source: .screenShare)]
        }.with(3) { $0.hasTracks = false }
        #expect(it.tiles(stage, on: landscape).order == ["p3", "p1'", "p1", "p2", "p4"])
    }

    @Test(arguments: ["interview", "lecture", "panel"])
    func aLayoutSurvivesItsText(name: String) throws {
        let read = try RegionLayout(parsing: recipe(name))
        #expect(try RegionLayout(parsing: read.json.compactUTF8) == read)
    }

    @Test func everyWhoSurvivesItsText() throws {
        let read = try layout(
            """
            { gap: 7, regions: [
              { name: "a", x: 0.1, y: 0.2, width: 0.3, height: 0.4, who: "speaking", contentMode: "crop" },
              { name: "b", x: 0, y: 0, width: 1, height: 1, who: "rest", whenEmpty: "background" },
              { name: "c", x: 0, y: 0, width: 1, height: 1, who: { name: "Åsa", source: "screen" } },
              { name: "d", x: 0, y: 0, width: 1, height: 1, who: { arrival: 2 } },
              { name: "e", x: 0, y: 0, width: 1, height: 1, who: { source: "camera" } },
              { name: "f", x: 0, y: 0, width: 1, height: 1, who: { role: "audience", source: "camera" } } ] }
            """)
        #expect(try RegionLayout(parsing: read.json.compactUTF8) == read)
    }

    @Test func namesChooseBeforeArrivals() throws {
        let it = try columns("{arrival: 1}", "{name: 'P1'}")
        #expect(it.tiles(people(1...3), on: landscape).order == ["p2", "p1"])
        #expect(it.tiles(people([2]), on: landscape).order == ["p2"])
    }

    @Test func oneNameOfTwoPeopleIsTheFirst() throws {
        let stage = people(1...2).with(2) { $0.name = "P1" }
        #expect(try columns("{name: 'P1'}").tiles(stage, on: landscape).order == ["p1"])
        #expect(try columns("{name: 'P1'}", "{name: 'p1'}").tiles(stage, on: landscape).order == ["p1", "p2"])
    }

    @Test func sourcesAreOfOnePersonOrOfAll() throws {
        let stage = people(1...3).with(1) { $0.camera = nil }.with(2) {
            $0.furtherPictures = [
                .init(track: TrackID(50), source: .screenShare), .init(track: TrackID(51), source: .camera),
            ]
        }
        #expect(try columns("{source: 'camera'}").tiles(stage, on: landscape).order == ["p2", "p2", "p3"])
        #expect(try columns("{arrival: 2, source: 'screen'}").tiles(stage, on: landscape).order == ["p2'"])
        #expect(try columns("{name: 'P1', source: 'camera'}").tiles(stage, on: landscape).isEmpty)
        #expect(
            try columns("{name: 'P2'}", "{name: 'P2', source: 'screen'}").tiles(stage, on: landscape).order
                == ["p2", "p2'"])
    }

    @Test func speakerStaysAndIsNotShownTwice() throws {
        var it: any Layouter = try columns("'speaking'", "'rest'")
        #expect(it.next(people(1...3)).order == ["p1", "p2", "p3"])
        let talking = people(1...3).with(3) { $0.isSpeaking = true }
        #expect(it.next(talking, at: 1).order == ["p3", "p1", "p2"])
        #expect(it.next(people(1...3), at: 60).order == ["p3", "p1", "p2"])
        #expect(it.next(people(1...2), at: 61).order == ["p1", "p2"])
    }

    @Test func laterRegionsAreAboveAndEmptyOnesShowWhatTheySay() throws {
        let it = try layouter(
            """
            {contentMode: "crop", regions: [
              {name: "all", x: 0, y: 0, width: 1, height: 1, who: {arrival: 1}},
              {name: "corner", x: 0.7, y: 0.7, width: 0.3, height: 0.3, who: {arrival: 2}, contentMode: "fit",
               whenEmpty: "background"},
              {name: "other", x: 0, y: 0, width: 0.1, height: 0.1, who: {arrival: 3}},
            ]}
            """)
        let corner = PixelRectangle(x: 896, y: 504, width: 384, height: 216)
        let one = it.tiles(people([1]), on: landscape)
        #expect(one.map(\.content) == [.picture(TrackID(1)), .background])
        #expect(one.rectangles == [PixelRectangle(landscape), corner] && one[1].label == "corner")
        let two = it.tiles(people(1...2), on: landscape)
        #expect(two.map(\.contentMode) == [.crop, .fit] && two.rectangles == one.rectangles)
        #expect(it.tiles(people(1...3), on: landscape).count == 3)
    }

    /// The examples that people copy.
    @Test(arguments: ["interview", "lecture", "panel"])
    func exampleIsReadAndLaysOutUpToSixteen(name: String) throws {
        let layout = try RegionLayout(parsing: recipe(name))
        for canvas in [landscape, portrait] {
            for count in 0...16 {
                for hasScreen in [false, true] where count > 0 || !hasScreen {
                    var stage = Stage(people: Array(people(1...16).people.prefix(count)))
                    if hasScreen {
                        stage = stage.with(1) {
                            $0.furtherPictures = [.init(track: TrackID(50), source: .screenShare)]
                        }
                    }
                    stage = stage.with(2) { $0.name = "Host" }
                    let tiles = RegionLayouter(layout).tiles(stage, on: canvas).filter { $0.content != .background }
                    #expect(tiles.count == count + (hasScreen ? 1 : 0))
                    #expect(Set(tiles.map { "\($0.participant)\($0.content)" }).count == tiles.count)
                    #expect(
                        tiles.rectangles.allSatisfy {
                            !$0.isEmpty && $0.evenAligned == $0 && $0.intersection(PixelRectangle(canvas)) == $0
                        })
                }
            }
        }
    }

    @Test(arguments: [
        ("[]", "line 1, column 1: expected an object, found an array"),
        ("{\n  region: []}", "line 2, column 3: unknown key 'region' (did you mean 'regions'?)"),
        ("{}", "line 1, column 1: regions are missing: a layout is a list of them"),
        ("{regions: []}", "line 1, column 11: regions must be a list of at least one region"),
        ("{regions: [{nam: 'a'}]}", "line 1, column 13: unknown key 'nam' (did you mean 'name'?)"),
        ("{gap: -1, regions: [$]}", "line 1, column 7: gap must be 0 to 200 pixels"),
        (
            "{contentMode: 'corp', regions: [$]}",
            "line 1, column 15: contentMode must be 'fit' or 'crop' (did you mean 'crop'?)"
        ),
        (
            "{regions: [{name: '', who: 'rest'}]}",
            "line 1, column 19: a region needs a name, which is text that is not empty"
        ),
        (
            "{regions: [{name: 'a', x: 0, y: 0, width: 1, height: 1}]}",
            "line 1, column 12: region 'a' does not say who is shown: "
                + "who is \"speaking\", \"rest\", or {name, arrival, role, source}"
        ),
        (
            "{regions: [{name: 'a', who: 'rest', x: 0, y: 0, width: 1}]}",
            "line 1, column 12: region 'a' has no height"
        ),
        (
            "{regions: [{name: 'a', who: 'rest', x: 0, y: 0, width: 50, height: 1}]}",
            "line 1, column 56: width must be a fraction of the canvas, 0 to 1"
        ),
        (
            "{regions: [{name: 'a', who: 'rest', x: 0, y: 0, width: 0, height: 1}]}",
            "line 1, column 56: width must be more than 0"
        ),
        (
            "{regions: [{name: 'a', who: 'rest', x: 0, y: 0.5, width: 1, height: 0.6}]}",
            "line 1, column 69: region 'a' ends beyond the canvas's bottom edge"
        ),
        ("{regions: [$, $]}", "line 1, column 78: there is a region 'a' already"),
        (
            "{regions: [$,\n {name: 'b', who: 'rest', x: 0, y: 0, width: 1, height: 1}]}",
            "line 2, column 19: region 'a' shows the rest already"
        ),
        (
            "{regions: [{name: 'a', who: 'talking', x: 0, y: 0, width: 1, height: 1}]}",
            "line 1, column 29: who must be 'speaking' or 'rest'"
        ),
        (
            "{regions: [{name: 'a', who: {}, x: 0, y: 0, width: 1, height: 1}]}",
            "line 1, column 29: who must say a name, an arrival, a role or a source"
        ),
        (
            "{regions: [{name: 'a', who: {arival: 1}, x: 0, y: 0, width: 1, height: 1}]}",
            "line 1, column 30: unknown key 'arival' (did you mean 'arrival'?)"
        ),
        (
            "{regions: [{name: 'a', who: {arrival: 0}, x: 0, y: 0, width: 1, height: 1}]}",
            "line 1, column 39: arrival must be a whole number from 1"
        ),
        (
            "{regions: [{name: 'a', who: {name: 'A', arrival: 1}, x: 0, y: 0, width: 1, height: 1}]}",
            "line 1, column 50: who is told by name, by arrival or by role, not by several of them"
        ),
        (
            "{regions: [{name: 'a', who: {source: 'screens'}, x: 0, y: 0, width: 1, height: 1}]}",
            "line 1, column 38: source must be 'camera' or 'screen' (did you mean 'screen'?)"
        ),
    ])
    func badFileIsRefusedWithPlaceAndReason(text: String, reason: String) {
        let whole = text.replacing("$", with: "{name: 'a', who: 'rest', x: 0, y: 0, width: 1, height: 1}")
        let error = #expect(throws: JSONError.self) { try layout(whole) }
        #expect(error?.description == reason)
    }
}
