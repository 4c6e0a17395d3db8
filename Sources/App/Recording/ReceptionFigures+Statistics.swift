import Reception
import RecordingFormat

extension ReceptionFigures {
    init(_ statistics: ReceptionStatistics) {
        self.init()
        packets = statistics.packets
        lost = statistics.lost
        recovered = statistics.recovered
        duplicate = statistics.duplicates
        late = statistics.late
        incompleteFrames = statistics.incompleteFrames
        retransmissionRequests = statistics.retransmissionRequests
        keyframeRequests = statistics.keyframeRequests
        roundTrip = statistics.roundTripTime
        jitter = statistics.jitter
        clockError = statistics.clockError
        usesSenderReports = statistics.usesSenderReports
    }
}
