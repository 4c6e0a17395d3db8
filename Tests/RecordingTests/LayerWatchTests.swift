import CallbotTesting
import Composition
import MediaTesting
import MediaTypes
import RecordingFormat
import Rendering
import RoomProtocol
import Testing

@testable import Recording

@Suite struct LayerWatchTests {
    private func watch(full: String?) -> LayerWatch {
        var recipe = CompositeRecipe()
        recipe.layout.layout = .named(.openLive)
        recipe.layout.full = full
        var watch = LayerWatch(recipe)
        for (number, who) in [(1, "ada"), (2, "bob")] {
            watch.follow(.participantJoined(Participant(id: ParticipantID(who), name: who)), at: .zero)
            watch.follow(.trackStarted(publication(number, of: who, .camera)), at: .zero)
            watch.follow(
                EncodedFrame(codec: .vp8, time: .zero, isKeyframe: true, payload: []), of: TrackID(number))
        }
        return watch
    }

    private func wishes(_ watch: inout LayerWatch, at milliseconds: Int64) -> [String] {
        watch.wishes(at: .ms(milliseconds)).map { "\($0.track.number): \($0.spatial)" }
    }

    /// OL-07, and what to do when the sender did not heed the server's request for a keyframe of that layer.
    @Test func whatIsAskedForInVainIsAskedForAgainAFewTimes() {
        var watch = watch(full: "ada")
        var asked = wishes(&watch, at: 100)
        #expect(asked.isEmpty, "nobody has layers")
        watch.follow(.layerForwarded(TrackID(1), spatial: 2, temporal: nil), at: .ms(200))
        watch.follow(.layerForwarded(TrackID(2), spatial: 2, temporal: nil), at: .ms(200))
        asked = wishes(&watch, at: 250)
        #expect(asked == ["2: 0"])
        asked = wishes(&watch, at: 1500)
        #expect(asked.isEmpty)
        asked = wishes(&watch, at: 1800)
        #expect(asked == ["2: 0"])
        watch.follow(.layerForwarded(TrackID(2), spatial: 0, temporal: 2), at: .ms(1900))
        asked = wishes(&watch, at: 2900)
        #expect(asked.isEmpty)
        // Somebody clears it during the call.
        watch.follow(ControlEvent.full(nil))
        asked = wishes(&watch, at: 2950)
        #expect(asked == ["2: 2"])
    }

    @Test func aSenderWithoutThatLayerIsLeftAloneInTheEnd() {
        var watch = watch(full: "ada")
        watch.follow(.layerForwarded(TrackID(2), spatial: 2, temporal: nil), at: .zero)
        var times = 0
        for second in Int64(0)..<60 {
            for number in 1...2 {
                watch.follow(
                    EncodedFrame(codec: .vp8, time: .ms(second * 1000), isKeyframe: true, payload: []),
                    of: TrackID(number))
            }
            times += wishes(&watch, at: second * 1000).count
        }
        #expect(times == 4)
    }

    @Test func withNobodyFullAllGetTheHighestUnasked() {
        var watch = watch(full: nil)
        watch.follow(.layerForwarded(TrackID(2), spatial: 1, temporal: nil), at: .zero)
        let asked = wishes(&watch, at: 5000)
        #expect(asked.isEmpty)
    }
}
