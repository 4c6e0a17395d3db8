import Archive
import JSON
import WebServer

extension Route {
    private static let most: Parameter = .init(
        name: "limit", schema: ["type": "integer", "minimum": 1, "maximum": 1000, "default": 50],
        summary: "At most so many, the latest ones.")

    /// What was said, and what happened.
    static let records: [Route] = [
        Route(
            .get, "/api/search", "Where words were said: in the chat, in marks and in names.",
            query: [
                .init(
                    name: "words", schema: .text,
                    summary: "All of these; begin* for words that begin so, \"in this order\" in quotes."),
                .init(name: "room", schema: .text, summary: "A part of the room's name or address."),
                .init(name: "person", schema: .text, summary: "Said by somebody with this in their name."),
                .init(name: "from", schema: .text, summary: "In recordings that started then or later."),
                .init(name: "to", schema: .text, summary: "In recordings that started before then."),
                .init(name: "kind", schema: .oneOf(FoundLine.Kind.self), summary: "Lines of this kind alone."),
            ] + paging, answer: .json(.component("LineList"), "The newest recording's lines first.")
        ) { site, call in
            try call.checkQuery()
            let words = SearchWords(call.text("words") ?? "")
            guard !words.isEmpty else { throw SiteError.bad("words are missing: what is looked for") }
            let kind = try call.choice("kind", of: FoundLine.Kind.self)
            return .json(
                try await site.archive.lines(
                    with: words, in: try call.filter(), kinds: kind.map { [$0] } ?? [], limit: try call.limit(),
                    after: try call.cursor()))
        },
        Route(
            .get, "/api/history", "What became of each time at which a schedule was due, and why it did not run.",
            query: [.init(name: "schedule", schema: .text, summary: "Of this schedule alone."), most],
            answer: .json(.component("History"), "The latest first.")
        ) { site, call in
            try call.checkQuery()
            let (limit, schedule) = (try call.limit(), call.text("schedule"))
            let lines = HistoryLog.read(site.settings.place, last: schedule == nil ? limit : .max)
                .filter { schedule == nil || $0["event"]?["schedule"]?.string == schedule }
            return .json(["history": .array(lines.suffix(limit).reversed().map(HistoryLog.entry))])
        },
        Route(
            .get, "/api/webhooks", "What was told to the addresses that are told what happens, and what they answered.",
            query: [most], answer: .json(.component("Deliveries"), "The latest first.")
        ) { site, call in
            try call.checkQuery()
            let lines = LineLog.read(site.settings.place.webhookLog, last: try call.limit())
            return .json([
                "addresses": .array(site.settings.webhooks.map { .string($0) }), "deliveries": .array(lines.reversed()),
            ])
        },
    ]
}
