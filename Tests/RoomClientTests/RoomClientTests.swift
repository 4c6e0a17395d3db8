import MediaTypes
import Reception
import RoomProtocol
import Testing
import Transport

@testable import RoomClient

/// Against a real server and a real browser.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct RoomClientTests {
    @Test func hearsSeesAndReadsAParticipantAndLeaves() async throws {
        let server = try JanusServer.start("--room", "1234,publishers=4,notify_joining=true", "--textroom", "1234")
        defer { server.stop() }
        let visit = Visit(server.ws)
        await visit.client.start()
        let joined = await visit.firstEvent { if case .joined = $0 { true } else { false } }
        guard case .joined(let bot, _) = joined else {
            Issue.record("not joined")
            return
        }
        #expect(bot.name == "Recorder ✓")
        #expect(await visit.firstEvent { $0 == .chatAvailable(true, reason: nil) } != nil)

        let ada = try Program(
            "participant", "--server", server.ws, "--for", "60", "--one",
            #"{"room":1234,"display":"Ada ✓","data":true,"textroom":1234,"do":[{"at":4,"do":"chat","text":"hello 👋"},"#
                + #"{"at":5,"do":"data","text":"by data channel"},{"at":6,"do":"leave"}]}"#)
        defer { ada.stop() }
        var seen = Seen()
        let left = await visit.first { output -> ParticipantID? in
            seen.take(output)
            if case .event(.participantLeft(let id, .quit), _) = output { return id }
            return nil
        }
        let participant = try #require(seen.participant)
        #expect(left == participant.id)
        #expect(participant.name == "Ada ✓")
        #expect(seen.tracks.values.map(\.kind.rawValue).sorted() == ["audio", "video"])
        for track in seen.tracks.values {
            #expect(track.participant == participant.id)
            // At least two seconds of them.
            #expect(seen.frames[track.id, default: 0] > (track.kind == .audio ? 100 : 30), "\(track.kind)")
            #expect(seen.startedWithKeyframe[track.id] == true)
        }
        // What they sent last may come after the news that they have left.
        _ = await visit.first { output -> Bool? in
            seen.take(output)
            return seen.ended.count == seen.tracks.count ? true : nil
        }
        #expect(seen.framesOutsideTheirTrack == 0)
        #expect(seen.ended == Set(seen.tracks.keys))
        #expect(seen.chat.map(\.text) == ["hello 👋", "by data channel"])
        #expect(seen.chat.map(\.kind) == [.message, .data])
        #expect(seen.chat.allSatisfy { $0.name == "Ada ✓" })

        let statistics = await visit.client.statistics()
        for track in seen.tracks.keys {
            #expect(statistics.tracks[track]?.frames == seen.frames[track])
            #expect(statistics.tracks[track]?.lost == 0)
        }
        #expect((statistics.transports[.media]?.octetsReceived ?? 0) > 10_000)
        await visit.client.leave()
        #expect(await visit.end() == .left)
    }

    @Test func aRoomIsJoinedOverTLSAndItsOwnersWordIsTheEnd() async throws {
        let server = try JanusServer.start("--room", "1234,pin=open", "--room", "77", "--wss", "--string-ids")
        defer { server.stop() }
        let address = try #require(server.wss)
        guard case .tlsFailed? = await Visit.end(address) else {
            Issue.record("a self-signed certificate is not trusted unasked")
            return
        }
        // Digits may be a name: the server says so, and is asked again.
        let visit = Visit(address) {
            $0.certificateAuthorityFile = server.certificate
            $0.room.pin = "open"
            $0.room.textRoom = .none
        }
        await visit.client.start()
        let joined = await visit.firstEvent { if case .joined = $0 { true } else { false } }
        guard case .joined(let bot, _) = joined else {
            Issue.record("not joined")
            return
        }
        try server.ask("videoroom", #"{"request":"kick","room":"1234","id":"\#(bot.id)"}"#)
        #expect(await visit.end() == .kicked)

        let second = Visit(server.ws, room: .string("77"))
        await second.client.start()
        _ = await second.firstEvent { if case .joined = $0 { true } else { false } }
        try server.ask("videoroom", #"{"request":"destroy","room":"77"}"#)
        #expect(await second.end() == .roomDestroyed)
    }

    @Test func whatAServerRefusesIsToldApart() async throws {
        let server = try JanusServer.start("--room", "1234,pin=open", "--token", "right")
        defer { server.stop() }
        func refusal(
            _ server: JanusServer, room: UInt64 = 1234, token: String? = nil, secret: String? = nil,
            pin: String? = "open"
        ) async -> RoomRefusal? {
            let end = await Visit.end(server.ws, room: .number(room)) {
                $0.room.token = token
                $0.room.apiSecret = secret
                $0.room.pin = pin
            }
            if case .refused(let refusal, _)? = end { return refusal }
            return nil
        }
        #expect(await refusal(server, room: 4321, token: "right") == .noSuchRoom)
        #expect(await refusal(server, token: "right", pin: "closed") == .wrongPin)
        #expect(await refusal(server, token: "right", pin: nil) == .wrongPin)
        #expect(await refusal(server, token: "wrong") == .unauthorized)
        #expect(await refusal(server) == .unauthorized)
        let secretive = try JanusServer.start("--api-secret", "key")
        defer { secretive.stop() }
        #expect(await refusal(secretive, room: 4321, secret: "key") == .noSuchRoom)
        #expect(await refusal(secretive, secret: "lock") == .unauthorized)
        #expect(await refusal(secretive) == .unauthorized)

        guard case .notJanus? = await Visit.end(server.admin.replacing("http:", with: "ws:")) else {
            Issue.record("an HTTP server is not a Janus")
            return
        }
    }

    @Test func aServerThatIsNotThereIsUnreachableAndOneThatGoesHasVanished() async throws {
        let server = try JanusServer.start("--room", "1234")
        let visit = Visit(server.ws)
        await visit.client.start()
        _ = await visit.firstEvent { if case .joined = $0 { true } else { false } }
        server.stop()
        guard case .serverVanished? = await visit.end() else {
            Issue.record("it has vanished")
            return
        }
        guard case .unreachable? = await Visit.end(server.ws) else {
            Issue.record("it is not there")
            return
        }
    }

    /// The refusal comes on the chat's own connection, which is closed from within its callback.
    @Test func aRoomWithoutAChatIsStayedInAllTheSame() async throws {
        let server = try JanusServer.start("--room", "1234")
        defer { server.stop() }
        let visit = Visit(server.ws, room: .number(1234)) { $0.room.textRoom = .room(.number(4321)) }
        await visit.client.start()
        let answer = await visit.firstEvent { if case .chatAvailable = $0 { true } else { false } }
        #expect(answer == .chatAvailable(false, reason: "No such room (4321) (417)"))
        await visit.client.leave()
        #expect(await visit.end() == .left)
    }

    @Test func leavingBeforeThereIsAConnectionIsLeaving() async {
        let visit = Visit("ws://192.0.2.1:8188/")
        await visit.client.start()
        await visit.client.leave()
        #expect(await visit.end() == .left)
    }
}

/// What a visit brought.
private struct Seen {
    var participant: Participant?
    var tracks: [TrackID: TrackPublication] = [:]
    var ended: Set<TrackID> = []
    var frames: [TrackID: Int] = [:]
    var startedWithKeyframe: [TrackID: Bool] = [:]
    var framesOutsideTheirTrack = 0
    var chat: [ChatMessage] = []

    mutating func take(_ output: RoomClient.Output) {
        switch output {
        case .event(.participantJoined(let somebody), _): participant = somebody
        case .event(.trackStarted(let track), _): tracks[track.id] = track
        case .event(.trackEnded(let track), _): ended.insert(track)
        case .event(.chat(let message), _): chat.append(message)
        case .frame(let track, let frame):
            if tracks[track] == nil || ended.contains(track) { framesOutsideTheirTrack += 1 }
            if frames[track] == nil { startedWithKeyframe[track] = frame.isKeyframe }
            frames[track, default: 0] += 1
        default: break
        }
    }
}
