/// What an error of the server means for the stay.
enum JanusRefusal {
    /// Codes of the VideoRoom plugin.
    enum RoomCode {
        static let noSuchRoom = 426
        static let noSuchFeed = 428
        static let missingElement = 429
        static let invalidElement = 430
        static let publishersFull = 432
        static let unauthorized = 433
        static let idExists = 436
    }

    /// Codes of the server's core.
    enum CoreCode {
        static let unauthorized = 403
        static let unauthorizedPlugin = 405
        static let noSuchSession = 458
        static let noSuchPlugin = 460
    }

    /// Why the room did not let the bot in.
    static func end(_ error: JanusError, joining configuration: JanusRoomConfiguration) -> RoomEnd {
        let isAboutPin = error.reason.contains("pin")
        return switch error.code {
        case RoomCode.noSuchRoom: .refused(.noSuchRoom, message: "there is no room \(configuration.room)")
        case RoomCode.unauthorized where isAboutPin && configuration.pin != nil:
            .refused(.wrongPin, message: "the pin of room \(configuration.room) is wrong")
        case RoomCode.unauthorized where isAboutPin, RoomCode.missingElement where isAboutPin:
            .refused(.wrongPin, message: "room \(configuration.room) needs a pin")
        case RoomCode.unauthorized: .refused(.unauthorized, message: "room \(configuration.room) says: \(error.reason)")
        case RoomCode.publishersFull:
            .refused(.roomFull, message: "room \(configuration.room) is full: \(error.reason)")
        case RoomCode.idExists:
            .refused(.nameTaken, message: "the id is taken in room \(configuration.room): \(error.reason)")
        default: .refused(.other, message: "room \(configuration.room) says: \(error.reason) (\(error.code))")
        }
    }

    /// What an error of the server's core ends the stay with.
    static func end(_ error: JanusError) -> RoomEnd {
        switch error.code {
        case CoreCode.unauthorized, CoreCode.unauthorizedPlugin:
            .refused(.unauthorized, message: "the server says: \(error.reason)")
        case CoreCode.noSuchSession: .serverVanished("the server has forgotten the session")
        case CoreCode.noSuchPlugin: .refused(.other, message: "the server has no video rooms: \(error.reason)")
        default: .refused(.other, message: "the server says: \(error.reason) (\(error.code))")
        }
    }
}
