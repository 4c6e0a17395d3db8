package import MediaTypes
package import Reception
package import RoomProtocol
package import Transport

/// What a stay in a room amounted to so far.
package struct RoomStatistics: Sendable {
    /// Of all tracks, those that have ended among them.
    package var tracks: [TrackID: ReceptionStatistics] = [:]
    package var transports: [JanusRoomSession.Peer: TransportStatistics] = [:]
    /// Packets of no known media section.
    package var unroutablePackets = 0
    /// Authentic packets that are no RTP or RTCP.
    package var malformedPackets = 0

    package init() {}
}
