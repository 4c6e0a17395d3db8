import CallbotTesting
import Composition
import MediaTypes
import Testing

@Suite struct SceneTransitionTests {
    private let canvas = PixelSize(width: 1280, height: 720)

    private func scene(_ names: String...) -> Scene {
        GridLayouter().scene(
            of: Stage(people: names.map { Stage.Person(id: ParticipantID($0), name: $0) }), on: canvas, at: .zero)
    }

    @Test func whoStaysGlidesAndWhoComesIsThereAtOnce() throws {
        let (before, after) = (scene("ada"), scene("ada", "bob"))
        let transition = SceneTransition(from: before, start: .ms(1000), duration: .milliseconds(300))
        #expect(transition.scene(towards: after, at: .ms(1000)).tiles[0].rectangle == before.tiles[0].rectangle)
        let half = transition.scene(towards: after, at: .ms(1150))
        let (a, b) = (before.tiles[0].rectangle, after.tiles[0].rectangle)
        #expect(abs(half.tiles[0].rectangle.width - (a.width + b.width) / 2) <= 2)
        #expect(abs(half.tiles[0].rectangle.y - (a.y + b.y) / 2) <= 2)
        #expect(half.tiles[1] == after.tiles[1])
        #expect(transition.scene(towards: after, at: .ms(1300)) == after)
        #expect(!transition.isOver(at: .ms(1299)) && transition.isOver(at: .ms(1300)))
    }

    @Test func edgesStayEvenAndInside() {
        let transition = SceneTransition(
            from: scene("a", "b", "c", "d", "e"), start: .zero, duration: .milliseconds(300))
        for time in stride(from: Int64(0), through: 300, by: 7) {
            for tile in transition.scene(towards: scene("e", "d", "a"), at: .ms(time)).tiles {
                let place = tile.rectangle
                #expect([place.x, place.y, place.width, place.height].allSatisfy { $0 % 2 == 0 })
                #expect(place.x >= 0 && place.y >= 0 && place.right <= 1280 && place.bottom <= 720)
            }
        }
    }
}
