package import MediaTypes
package import RecordingFormat
package import RoomProtocol
package import WebM

/// Makes a file out of what happened and what was captured.
package protocol CompositeRenderer: AnyObject {
    /// Takes in what happened in the room. What is known by the time of capture may come a little out of order.
    func handle(_ event: RoomEvent, at time: TimelineTime)
    /// Takes in what somebody asked for: another layout, from this moment on, or a chapter that begins.
    func handle(_ control: ControlEvent, at time: TimelineTime)
    /// Takes in a frame of a track, in the order of the track. It may come before the track's own start event.
    func frame(_ frame: EncodedFrame, of id: TrackID)
    /// Says that everything before `time` has been handed in: renders what can be known by that.
    func advance(to time: TimelineTime) throws
    /// Ends the file at a moment, from which on nothing is shown or heard, and writes cues, chapters, tags and
    /// duration.
    func finish(at end: TimelineTime, tags: [Tag]) throws -> RenderSummary
}

extension EncodedFrame {
    /// As the track files know it, so that what is rendered live falls on the same ticks.
    var onWholeMilliseconds: EncodedFrame {
        var frame = self
        frame.time = TimelineTime(microseconds: time.milliseconds &* 1000)
        return frame
    }
}
