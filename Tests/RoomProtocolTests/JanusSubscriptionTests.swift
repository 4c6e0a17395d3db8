import JSON
import MediaTypes
import SDP
import Testing

@testable import RoomProtocol

@Suite struct JanusSubscriptionTests {
    /// Ada's sound and picture are subscribed to, and flow.
    func stay(answersOffers: Bool = true) throws -> ScriptedJanus {
        var janus = try ScriptedJanus.joined(publishers: [ada])
        janus.answersOffers = answersOffers
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 3]])
        try janus.answer("message join subscriber", ScriptedJanus.offer("attached", "0 audio 5 0 11", "1 video 5 1 12"))
        _ = janus.take()
        return janus
    }

    let ada = ScriptedJanus.publisher(5, "Ada", "0 audio opus", "1 video vp8")
    let bob = ScriptedJanus.publisher(6, "Bob", "0 audio opus")
    let eve = ScriptedJanus.publisher(7, "Eve", "0 audio opus")

    func published(_ publisher: JSONValue) -> JSONValue {
        ScriptedJanus.event(2, ["videoroom": "event", "room": 1234, "publishers": [publisher]])
    }

    func lastBody(_ janus: ScriptedJanus) -> String { janus.requests.last?["body"]?.compact ?? "-" }

    func newEvents(_ janus: inout ScriptedJanus) -> [String] {
        janus.take().compactMap { if case .event(let event) = $0 { words(event) } else { nil } }
    }

    @Test func tracksStartBeforeTheirOfferIsToBeAnswered() throws {
        let janus = try stay(answersOffers: false)
        let started = janus.outputs.lastIndex { if case .event(.trackStarted) = $0 { true } else { false } }
        let offered = janus.outputs.firstIndex { if case .applyOffer = $0 { true } else { false } }
        #expect(try #require(started) < #require(offered))
        guard case .applyOffer(.media, let offer)? = janus.outputs.last else { return #expect(Bool(false)) }
        #expect(offer.media.count == 2)
        #expect(janus.requests.last?["body"]?["request"]?.string == "join")
    }

    @Test func whatIsWantedWhileAnOfferIsUnansweredIsAskedForAtOnceAfterwards() throws {
        var janus = try stay(answersOffers: false)
        janus.say(published(bob))
        janus.say(published(eve))
        janus.say(published(bob))
        #expect(janus.requests.last?["body"]?["request"]?.string == "join")
        janus.input(.localDescription(.media, sdp: "mine"))
        let sent = Array(janus.requests.suffix(3))
        #expect(
            sent[0]["jsep"]?.compact == #"{"type":"answer","sdp":"mine"}"# && sent[0]["body"]?["request"] == "start")
        #expect(lastBody(janus) == #"{"request":"update","subscribe":[{"feed":6,"mid":"0"},{"feed":7,"mid":"0"}]}"#)
        janus.input(.localDescription(.media, sdp: "again"))
        #expect(janus.requests.last?["body"]?["request"] == "update", "an answer that nobody waits for is not sent")
    }

    /// Until its first report has come, Janus keeps nothing of what it sends.
    @Test func nothingIsSentBeforeTheConnectionStands() throws {
        var janus = try stay(answersOffers: false)
        janus.input(.localDescription(.media, sdp: "mine"))
        #expect(janus.requests.suffix(2).map { $0["body"]?["request"] } == ["start", "pause"])
        #expect(janus.requests.last?["jsep"] == nil)
        janus.input(.peerConnected(.media))
        #expect(janus.requests.last?["body"]?["request"] == "start")
        #expect(janus.requests.last?["jsep"] == nil)
        janus.say(published(bob))
        janus.input(.localDescription(.media, sdp: "again"))
        #expect(!janus.requests.suffix(2).contains { $0["body"]?["request"] == "pause" })
    }

    @Test func updatingMeansTheOfferComesByItself() throws {
        var janus = try stay()
        janus.say(published(bob))
        try janus.answer("message update", ScriptedJanus.event(3, ["videoroom": "updating", "room": 1234]))
        janus.say(published(eve))
        try janus.answer("message update", ScriptedJanus.event(3, ["videoroom": "updating", "room": 1234]))
        _ = janus.take()
        janus.say(
            ScriptedJanus.offer("updated", "0 audio 5 0 11", "1 video 5 1 12", "2 audio 6 0 13", "3 audio 7 0 14"))
        #expect(newEvents(&janus) == ["start 3 6 0 microphone on 2", "start 4 7 0 microphone on 3"])
    }

    @Test func offerThatCrossesOurRequestIsAnsweredAndTheRequestStillCounts() throws {
        var janus = try stay()
        janus.say(published(bob))
        janus.say(ScriptedJanus.offer("updated", "0 audio 5 0 11", "1 video"))
        #expect(newEvents(&janus) == ["+ Bob", "6 0 audio opus", "end 2"])
        // No second request before the first is answered, and its refusal is still understood.
        janus.say(published(eve))
        #expect(janus.requests.filter { $0["body"]?["request"] == "update" }.count == 1)
        try janus.answer("message update", ScriptedJanus.event(3, ["error_code": 428, "error": "No such feed"]))
        #expect(
            newEvents(&janus) == [
                "+ Eve", "7 0 audio opus", "notice: no subscription to Bob (6), stream 0: No such feed (428)",
            ])
        #expect(lastBody(janus) == #"{"request":"update","subscribe":[{"feed":7,"mid":"0"}]}"#)
    }

    @Test func oneBadFeedDoesNotSpoilTheOthers() throws {
        var janus = try ScriptedJanus.joined(publishers: [ada, bob, eve])
        try janus.answer("attach janus.plugin.videoroom", ["janus": "success", "data": ["id": 3]])
        let refusal = ScriptedJanus.event(3, ["error_code": 428, "error": "No such feed"])
        try janus.answer("message join subscriber", refusal)
        #expect(janus.requests.last?["body"]?["streams"]?.compact == #"[{"feed":5,"mid":"0"},{"feed":5,"mid":"1"}]"#)
        try janus.answer("message join subscriber", refusal)
        #expect(janus.requests.last?["body"]?["streams"]?.compact == #"[{"feed":6,"mid":"0"}]"#)
        try janus.answer("message join subscriber", ScriptedJanus.offer("attached", "0 audio 6 0 11"))
        #expect(lastBody(janus) == #"{"request":"update","subscribe":[{"feed":7,"mid":"0"}]}"#)
        #expect(janus.events.map { words($0) }.filter { $0.hasPrefix("notice") }.count == 2)
        // What failed can be tried again when the publisher publishes it again.
        janus.say(ScriptedJanus.event(2, ["videoroom": "event", "unpublished": 5]))
        janus.say(published(ada))
        try janus.answer("message update", ScriptedJanus.offer("updated", "0 audio 6 0 11", "1 audio 7 0 12"))
        #expect(lastBody(janus).contains(#"{"feed":5,"mid":"0"}"#))
    }

    @Test func removedTrackIsGivenBackAndComesBackAsANewOne() throws {
        var janus = try stay()
        janus.say(published(ScriptedJanus.publisher(5, "Ada", "0 audio opus", "1 video -")))
        #expect(newEvents(&janus) == ["end 2", "5 1 off"])
        #expect(lastBody(janus) == #"{"request":"update","unsubscribe":[{"feed":5,"mid":"1"}]}"#)
        // Back before the server has answered: one stream goes into a request only once.
        janus.say(published(ada))
        try janus.answer("message update", ScriptedJanus.offer("updated", "0 audio 5 0 11", "1 video"))
        #expect(lastBody(janus) == #"{"request":"update","subscribe":[{"feed":5,"mid":"1"}]}"#)
        try janus.answer("message update", ScriptedJanus.offer("updated", "0 audio 5 0 11", "1 video 5 1 22"))
        #expect(newEvents(&janus) == ["5 1 video vp8", "start 3 5 1 camera on 1"])
    }

    @Test func changeOfCodecIsANewTrack() throws {
        var janus = try stay()
        janus.say(published(ScriptedJanus.publisher(5, "Ada", "0 audio opus", "1 video vp9")))
        #expect(
            newEvents(&janus) == [
                "end 2", "5 1 off", "5 1 video vp9", "notice: video of Ada (5) is not recorded: it is in vp9",
            ])
    }

    @Test func newSSRCOrAnotherFeedOnASectionIsANewTrack() throws {
        var janus = try stay()
        janus.say(published(bob))
        _ = janus.take()
        try janus.answer("message update", ScriptedJanus.offer("updated", "0 audio 6 0 31", "1 video 5 1 32"))
        #expect(newEvents(&janus) == ["end 1", "end 2", "start 3 6 0 microphone on 0", "start 4 5 1 camera on 1"])
    }

    @Test func staleOfferDoesNotRaiseTheDead() throws {
        var janus = try stay()
        janus.say(ScriptedJanus.event(2, ["videoroom": "event", "unpublished": 5]))
        janus.say(ScriptedJanus.event(2, ["videoroom": "event", "unpublished": 5]))
        #expect(newEvents(&janus) == ["end 1", "5 0 off", "end 2", "5 1 off"])
        janus.say(ScriptedJanus.offer("updated", "0 audio 5 0 11", "1 video 5 1 12"))
        #expect(newEvents(&janus) == [])
    }

    @Test func subscriptionsThatAreNotSentYetAreTakenBackSilently() throws {
        var janus = try stay(answersOffers: false)
        janus.say(published(bob))
        janus.say(published(ScriptedJanus.publisher(6, "Bob", "0 audio -")))
        janus.say(published(eve))
        janus.say(ScriptedJanus.event(2, ["videoroom": "event", "leaving": 7]))
        janus.input(.localDescription(.media, sdp: "mine"))
        #expect(!janus.requests.contains { $0["body"]?["request"] == "update" })
    }

    @Test func layersAreReportedAndAskedFor() throws {
        var janus = try stay()
        janus.input(.peerConnected(.media))
        _ = janus.take()
        janus.say(ScriptedJanus.event(3, ["videoroom": "event", "room": 1234, "mid": "1", "substream": 2]))
        janus.say(ScriptedJanus.event(3, ["videoroom": "event", "room": 1234, "mid": "1", "temporal": 1]))
        janus.say(ScriptedJanus.event(3, ["videoroom": "event", "room": 1234, "mid": "9", "temporal": 1]))
        #expect(newEvents(&janus) == ["layer 2 2 -1", "layer 2 2 1"])
        janus.session.requestLayer(TrackID(2), spatial: 0, temporal: nil, at: janus.now)
        janus.session.requestLayer(TrackID(9), spatial: 0, temporal: nil, at: janus.now)
        janus.drain()
        #expect(lastBody(janus) == #"{"request":"configure","streams":[{"mid":"1","substream":0}]}"#)
        // Nothing for the track that is not there.
        #expect(janus.take().count == 1)
    }

    @Test func candidatesGoBothWays() throws {
        var janus = try stay()
        janus.input(.localCandidate(.media, mid: "0", mLineIndex: 0, candidate: "candidate:1"))
        janus.input(.localCandidate(.media, mid: "0", mLineIndex: 0, candidate: nil))
        #expect(
            janus.requests.suffix(2).compactMap { $0["candidate"]?.compact } == [
                #"{"candidate":"candidate:1","sdpMid":"0","sdpMLineIndex":0}"#, #"{"completed":true}"#,
            ])
        _ = janus.take()
        janus.say(["janus": "trickle", "sender": 3, "candidate": ["candidate": "candidate:2", "sdpMid": "0"]])
        janus.say(["janus": "trickle", "sender": 3, "candidate": ["completed": true]])
        janus.say(["janus": "trickle", "sender": 8, "candidate": ["candidate": "candidate:3"]])
        #expect(janus.take() == [.addCandidate(.media, line: "candidate:2", mid: "0")])
    }

    @Test func whatTheServerSaysOfTheMediaIsPassedOn() throws {
        var janus = try stay()
        janus.say(["janus": "media", "sender": 3, "mid": "1", "type": "video", "receiving": false])
        janus.say(["janus": "media", "sender": 3, "mid": "7", "receiving": false])
        janus.say(["janus": "slowlink", "sender": 3, "mid": "1", "uplink": true, "lost": 12])
        janus.say(["janus": "webrtcup", "sender": 3])
        janus.say(["janus": "later", "sender": 3])
        #expect(
            newEvents(&janus) == [
                "2 not received", "notice: the server finds the link slow, 12 packets lost",
                "notice: the server sent an unknown message, 'later'",
            ])
    }
}
