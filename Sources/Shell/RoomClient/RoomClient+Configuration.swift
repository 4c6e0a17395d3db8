package import RoomProtocol
package import Transport

extension RoomClient {
    /// Which room, and how to get there.
    package struct Configuration: Sendable {
        /// How we speak to a TURN server.
        package enum Relay: String, Sendable { case udp, tcp, tls }

        /// The server's WebSocket: `ws://host:port/path` or `wss://…`
        package var server: String
        package var room: JanusRoomConfiguration
        /// A file of certificates (PEM) to be trusted instead of the system's, for wss.
        package var certificateAuthorityFile: String?
        /// For wss.
        package var acceptsAnyCertificate = false
        package var peer = PeerConfiguration()

        package init(server: String, room: JanusRoomConfiguration) {
            self.server = server
            self.room = room
        }

        package mutating func addSTUNServer(host: String, port: UInt16) {
            peer.iceServers.append(ICEServer(kind: .stun, host: host, port: port))
        }

        package mutating func addTURNServer(host: String, port: UInt16, over way: Relay, user: String, password: String)
        {
            let transport: ICEServer.RelayTransport =
                switch way {
                case .udp: .udp
                case .tcp: .tcp
                case .tls: .tls
                }
            peer.iceServers.append(
                ICEServer(kind: .turn(transport), host: host, port: port, username: user, password: password))
        }
    }
}
