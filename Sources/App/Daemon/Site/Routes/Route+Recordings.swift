import Archive
import EventLoop
import JSON
import LocalSocket
import MediaTypes
import Playback
import RecordingFormat
import WebServer

extension Route {
    /// Which recordings are wanted, in the query.
    private static let filters: [Parameter] = [
        .init(name: "room", schema: .text, summary: "A part of the room's name or address."),
        .init(name: "person", schema: .text, summary: "A part of the name of somebody who was there, or their id."),
        .init(name: "from", schema: .text, summary: "Started then or later: a day, or a moment in UTC."),
        .init(name: "to", schema: .text, summary: "Started before then."),
    ]

    static let paging: [Parameter] = [
        .init(
            name: "limit", schema: ["type": "integer", "minimum": 1, "maximum": 1000, "default": 50],
            summary: "At most so many."),
        .init(name: "after", schema: .text, summary: "Where to go on: what 'next' said before."),
    ]

    /// What was recorded, and is being recorded.
    static let recordings: [Route] = [
        Route(
            .get, "/api/recordings", "The recordings of the archive.",
            query: filters + [
                .init(
                    name: "words", schema: .text,
                    summary: "With all these words in the chat, in marks or in names; begin* and \"in this order\"."),
                .init(name: "verdict", schema: .oneOf(Verdict.Grade.self), summary: "What it is worth."),
                .init(name: "state", schema: .oneOf(ArchivedRecording.State.self), summary: "How it is."),
                .init(name: "held", schema: ["type": "boolean"], summary: "Whether it is held."),
                .init(
                    name: "order", schema: .oneOf(RecordingOrder.self),
                    summary: "The newest first (start), the longest, or the largest."),
                .init(name: "reversed", schema: ["type": "boolean"], summary: "The other way round."),
            ] + paging, answer: .json(.component("RecordingList"), "A part of the list.")
        ) { site, call in
            try call.checkQuery()
            var filter = try call.filter()
            filter.words = call.text("words").map { SearchWords($0) }
            filter.grade = try call.choice("verdict", of: Verdict.Grade.self)
            filter.state = try call.choice("state", of: ArchivedRecording.State.self)
            filter.isHeld = try call.flag("held")
            return .json(
                try await site.archive.recordings(
                    filter, order: try call.choice("order", of: RecordingOrder.self) ?? .start,
                    isReversed: try call.flag("reversed") ?? false, limit: try call.limit(), after: try call.cursor()))
        },
        Route(
            .get, "/api/recordings/{recording}", "One recording, with its report.",
            answer: .json(.component("RecordingWithReport"), "It.")
        ) { site, call in .json(try await site.archive.recording(call.parameter("recording"))) },
        Route(
            .delete, "/api/recordings/{recording}", "Removes a recording with all its files.",
            answer: .nothing("It is gone."), errors: [409]
        ) { site, call in
            try await site.archive.remove(call.parameter("recording"))
            return .done
        },
        Route(
            .post, "/api/recordings/{recording}/hold", "Holds a recording: nothing removes it until it is released.",
            body: .members([:]), answer: .nothing("It is held.")
        ) { site, call in
            _ = try call.body()
            try await site.archive.setHeld(true, call.parameter("recording"))
            return .done
        },
        Route(
            .post, "/api/recordings/{recording}/release", "Lets a recording go that is held.",
            body: .members([:]), answer: .nothing("It is held no longer.")
        ) { site, call in
            _ = try call.body()
            try await site.archive.setHeld(false, call.parameter("recording"))
            return .done
        },
        Route(
            .post, "/api/recordings/{recording}/control",
            "Changes a recording while it is made, as 'callbot control' does: one of these.",
            body: .members([
                "layout": ["type": ["string", "object"], "description": "A layout's name, or a layout of one's own."],
                "full": ["type": ["string", "null"], "description": "Who fills the picture; null for nobody."],
                "pin": ["type": ["string", "null"], "description": "Who has the large place; null for nobody."],
                "mark": ["type": "string", "description": "A chapter of this name begins."],
            ]), answer: .nothing("It is changed from now on."), errors: [409]
        ) { site, call in
            let folder = try await site.archive.folder(of: call.parameter("recording"))
            try RecorderControl.change(try call.body(), in: folder)
            return .done
        },
        Route(
            .post, "/api/recordings/{recording}/link",
            "Makes a link that lets whoever has it watch this one recording, and nothing else, for a while.",
            body: .members([
                "for": .span("How long: 7 days without it, a year at most.")
            ]), answer: .json(.component("Link"), "The link.", status: 201)
        ) { site, call in
            let body = try call.body()
            let time =
                try body.span("for", in: .seconds(1)...LinkSigner.longest, "of a year at most") ?? LinkSigner.usual
            let recording = call.parameter("recording")
            _ = try await site.archive.folder(of: recording)
            return .json(try await site.order(.link(recording: recording, seconds: time.seconds)), status: 201)
        },
        Route(
            .delete, "/api/links", "Makes all links worthless that were given out.",
            answer: .nothing("None is good any more.")
        ) { site, _ in
            try site.links.revokeAll()
            return .done
        },
    ]
}

extension SiteCall {
    /// Which recordings are wanted.
    func filter() throws(SiteError) -> RecordingFilter {
        var filter = RecordingFilter()
        filter.room = text("room")
        filter.person = text("person")
        filter.from = try moment("from")
        filter.to = try moment("to")
        return filter
    }
}

extension LinkSigner {
    /// A link as it is given out.
    /// - Parameter place: the address of the daemon, without a slash at its end; empty for a link within the site.
    func link(to recording: String, for time: Duration, at place: String) throws -> JSONValue {
        let until = HostClock.wallTime() + time
        let signed = try sign(recording, until: until)
        return [
            "url": .string("\(place)/r/\(recording.percentEncoded)/?\(Self.query)=\(signed)"),
            "until": .string(until.iso8601),
        ]
    }
}

/// Says to whoever makes a recording what is to change.
enum RecorderControl {
    /// What each change is called at the recorder's socket.
    private static let keys = ["layout": "layout", "full": "who", "pin": "who", "mark": "text"]
    private static let patience = Duration.seconds(3)

    static func change(_ body: JSONValue, in folder: String) throws(SiteError) {
        guard let members = body.object?.members, members.count == 1, let member = members.first,
            let key = keys[member.key]
        else { throw .bad("one of layout, full, pin and mark must be said") }
        var request = JSONObject()
        request["command"] = .string(member.key)
        request[key] = member.value
        let line: [UInt8]
        do {
            line = try LocalClient.ask(
                JSONValue.object(request).compactUTF8, in: folder, named: FileNaming.controlSocket, patience: patience)
        } catch {
            if error.isNobodyThere { throw .conflict("it is not being recorded now") }
            if error.isTooLong { throw .bad("what is to be changed is too long") }
            throw .unavailable("the recorder cannot be told: \(error.reason)")
        }
        let answer = try? JSONValue(parsing: line)
        guard answer?["ok"]?.bool == true else {
            throw .bad(answer?["error"]?.string ?? "the recorder refuses, and does not say why")
        }
    }
}
