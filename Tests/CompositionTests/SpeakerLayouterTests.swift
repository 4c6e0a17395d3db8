import Composition
import MediaTypes
import Testing

private func speaking(_ numbers: Int..., of count: Int = 4) -> Stage {
    numbers.reduce(people(1...count)) { $0.with($1) { $0.isSpeaking = true } }
}

private func large(_ tiles: [Tile]) -> String? { tiles.first?.participant.value }

@Suite struct SpeakerLayouterTests {
    @Test func lastSpeakerStaysUntilAnotherSpeaks() {
        var it: any Layouter = SpeakerLayouter()
        #expect(large(it.next(speaking(), at: 0)) == "p1")
        #expect(large(it.next(speaking(3), at: 1)) == "p3")
        #expect(large(it.next(speaking(), at: 60)) == "p3")
        #expect(large(it.next(speaking(2, 3), at: 61)) == "p3")
        #expect(large(it.next(speaking(2), at: 62)) == "p2")
    }

    @Test func nobodyIsLargeForAMomentOnly() {
        var it: any Layouter = SpeakerLayouter()
        var changes: [Double] = []
        var before: String?
        // Two talk in turns of 100 ms.
        for tick in 0..<200 {
            let now = large(it.next(tick % 2 == 0 ? speaking(1) : speaking(2), at: Double(tick) / 10))
            if now != before { changes.append(Double(tick) / 10) }
            before = now
        }
        #expect(zip(changes, changes.dropFirst()).allSatisfy { $1 - $0 >= 2 } && changes.count > 5)
    }

    @Test func speakerWhoLeavesGivesWay() {
        var it: any Layouter = SpeakerLayouter()
        _ = it.next(speaking(3), at: 0)
        #expect(large(it.next(people([1, 2]), at: 0.1)) == "p1")
        #expect(large(it.next(people([1, 2, 3]), at: 0.2)) == "p1")
    }

    @Test func pinnedIsLargeWhoeverSpeaks() {
        var it: any Layouter = SpeakerLayouter(options { $0.pinned = id(2) })
        #expect(large(it.next(speaking(3), at: 0)) == "p2")
        #expect(large(it.next(people([1, 3]), at: 5)) == "p3")
    }

    /// ALL-05: nobody sees themselves large, as long as there is somebody else.
    @Test func viewpointIsNeverLarge() {
        var it: any Layouter = SpeakerLayouter(options { $0.viewpoint = id(1) })
        #expect(large(it.next(speaking(1), at: 0)) == "p2")
        #expect(large(it.next(people([1]), at: 5)) == "p1")
    }

    @Test(arguments: [landscape, portrait])
    func largePlaceIsMostOfTheCanvas(canvas: PixelSize) {
        for count in 2...50 {
            let tiles = SpeakerLayouter().tiles(people(1...count), on: canvas)
            let area = tiles[0].rectangle.width * tiles[0].rectangle.height
            #expect(area * 10 >= canvas.width * canvas.height * 6)
            #expect(tiles.dropFirst().allSatisfy { $0.rectangle.width * $0.rectangle.height * 4 < area })
        }
    }
}
