package import Archive
import MediaTypes
package import RecordingFormat

/// The options by which recordings are chosen.
struct RecordingSelection: Hashable, Sendable {
    var filter = RecordingFilter()
    var from: MomentArgument?
    var to: MomentArgument?

    func filter(at now: WallTime) -> RecordingFilter {
        var filter = filter
        filter.from = from?.start(at: now)
        filter.to = to?.end(at: now)
        return filter
    }

    static func settings<Request: ArchiveRequest>(
        _ change: @escaping @Sendable (inout Request, (inout RecordingSelection) -> Void) -> Void
    ) -> [Setting<Request>] {
        [
            .option("room", "TEXT", "Of rooms with this in their name or address.", as: String.self) { request, text in
                change(&request) { $0.filter.room = text }
            },
            .option("person", "TEXT", "With somebody who has this in their name, or this id.", as: String.self) {
                request, text in change(&request) { $0.filter.person = text }
            },
            .option(
                "from", "TIME", "Started then or later: a day, a time in UTC, or how long ago (7d).",
                as: MomentArgument.self
            ) { request, moment in change(&request) { $0.from = moment } },
            .option("to", "TIME", "Started before then; a day counts whole.", as: MomentArgument.self) {
                request, moment in change(&request) { $0.to = moment }
            },
        ]
    }
}

extension ArchivedRecording.State: ArgumentValue {}
extension Verdict.Grade: ArgumentValue {}
extension RecordingOrder: ArgumentValue {}
extension FoundLine.Kind: ArgumentValue {}
extension PageCursor: ArgumentValue {
    package static func parse(
        _ text: String, in environment: Environment
    ) throws(InvalidValue) -> PageCursor {
        guard let cursor = PageCursor(text) else { throw InvalidValue("must be what 'next' said") }
        return cursor
    }
}
