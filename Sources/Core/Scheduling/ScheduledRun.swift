package import MediaTypes

/// A recording that a schedule wants or has.
package struct ScheduledRun: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        /// It was asked for; nobody has said yet that it runs.
        case starting
        case running
        /// Its end was asked for.
        case stopping
    }

    /// What the calendar says of the call.
    package struct Details: Hashable, Sendable {
        package var summary: String?
        package var location: String?
        package var url: String?

        package init(summary: String? = nil, location: String? = nil, url: String? = nil) {
            self.summary = summary
            self.location = location
            self.url = url
        }
    }

    package var event: EventID
    package var recipe: String
    package var details: Details?
    package var state = State.starting
    /// When the call is planned to end; nil when it ends by itself.
    package var callEnd: WallTime?
    /// When the recording is stopped: the end of the call and the margin after it.
    package var stop: WallTime?
    package var started: WallTime?
    /// Whether it goes on with a recording that a restart has cut.
    package var isResumption = false

    /// The same moment as `stop` on the steady clock, so that a wall clock that is set does not cut a recording. Nil
    /// after a restart, until it is worked out anew.
    var steadyStop: MonotonicTime?

    init(event: EventID, recipe: String, details: Details?, callEnd: WallTime?, stop: WallTime?) {
        self.event = event
        self.recipe = recipe
        self.details = details
        self.callEnd = callEnd
        self.stop = stop
    }
}
