import MediaTypes
package import RoomClient
import RoomProtocol

extension RoomClient.Configuration {
    /// What the room client needs of a recipe. The one place where secrets are revealed.
    package init(_ recipe: RecordRecipe) {
        var room = JanusRoomConfiguration(room: JanusRoomID(recipe.room.room), displayName: recipe.name)
        room.pin = recipe.access.pin?.revealed()
        room.roomToken = recipe.access.roomToken?.revealed()
        room.token = recipe.access.token?.revealed()
        room.apiSecret = recipe.access.apiSecret?.revealed()
        // A call's two rooms usually share their pin; one that has none takes any.
        room.textPin = room.pin
        switch recipe.chat {
        case .sameRoom: room.textRoom = .sameRoom
        case .room(let id): room.textRoom = .room(JanusRoomID(id))
        case .none: room.textRoom = .none
        }
        self.init(server: recipe.room.server, room: room)
        certificateAuthorityFile = recipe.network.certificateAuthorityFile
        acceptsAnyCertificate = recipe.network.acceptsAnyCertificate
        for server in recipe.network.stunServers { addSTUNServer(host: server.host, port: server.port) }
        for server in recipe.network.turnServers {
            addTURNServer(
                host: server.host, port: server.port, over: server.relay, user: server.user,
                password: server.password.revealed())
        }
    }
}
