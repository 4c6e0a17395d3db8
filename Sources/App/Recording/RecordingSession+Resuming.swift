import Capture
import MediaTypes
import RecordingFormat

/// Where a recording that is gone on with goes on.
struct ResumedTimeline {
    /// The present moment on the recording's timeline.
    var now: TimelineTime
    /// How far the wall clock is from that: not at all, unless it is behind what was recorded already.
    var clockError: Duration

    /// The wall clock says how much time has passed. Where it is behind what was recorded already, it was set meanwhile, and
    /// the recording goes on right after that.
    init(_ resumption: Resumption, wall: WallTime) {
        let told = TimelineTime(microseconds: wall.microseconds &- resumption.manifest.origin.microseconds)
        now = max(told, resumption.last + .milliseconds(1))
        clockError = told - now
    }
}

extension RecordRecipe {
    /// What is to be put down of it in a recording that is gone on with at `now`: its duration is that of the whole.
    func resumed(at now: TimelineTime) -> RecordRecipe {
        var recipe = self
        recipe.duration = duration.map { $0 + (now - .zero) } ?? resumes?.plannedDuration
        return recipe
    }
}
