package import MediaTypes
package import Reception
package import RoomProtocol
package import Transport

/// What a stay in a room amounted to so far.
package struct RoomStatistics: Sendable {
    /// Of all tracks, those that have ended among them until they are forgotten.
    package var tracks: [TrackID: ReceptionStatistics] = [:]
    /// Media packets of tracks that are forgotten.
    package var forgottenPackets = 0
    /// How many of those were given up.
    package var forgottenLost = 0
    package var transports: [JanusRoomSession.Peer: TransportStatistics] = [:]
    /// Packets of no known media section.
    package var unroutablePackets = 0
    /// Authentic packets that are no RTP or RTCP.
    package var malformedPackets = 0

    package init() {}

    /// Forgets tracks that have ended, but for how much came of them.
    package mutating func forget(_ ended: [TrackID]) {
        for track in ended {
            guard let statistics = tracks.removeValue(forKey: track) else { continue }
            forgottenPackets += statistics.packets
            forgottenLost += statistics.lost
        }
    }
}
