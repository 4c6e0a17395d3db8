import MediaTypes
import Recording
import RoomProtocol

extension RecordingEnd {
    /// What the user reads at the end: one sentence.
    package var sentence: String {
        switch self {
        case .durationReached: "The duration that was asked for is over."
        case .stopped(signal: 15): "Stopped by SIGTERM."
        case .stopped(signal: 2): "Stopped by SIGINT."
        case .stopped(let signal): "Stopped by signal \(signal)."
        case .roomEmpty(let time): "Nobody was in the room for \(time.words)."
        case .room(let end): end.sentence
        case .connectionLost(let end, let time):
            "The connection was lost and did not come back within \(time.words). \(end.sentence)"
        case .noMedia(let time): "People publish, but no media came within \(time.words)."
        case .outputUnusable(let reason): "The recording cannot be written: \(reason)."
        case .outputExists(let path):
            "\(path) is there already, and nothing is ever overwritten: choose another --output."
        case .beingRecorded(let path): "\(path) is being recorded just now."
        case .notResumable(let reason): "The recording cannot be gone on with: \(reason)."
        case .noSpaceToBegin(let free, let reserve):
            "The disk is full: \(byteCount(free)) are free, and \(byteCount(reserve)) are to stay free (--reserve)."
        case .diskFull(let free, let reserve):
            "The disk is full: \(byteCount(free)) are free, and \(byteCount(reserve)) are to stay free (--reserve). "
                + "All that was recorded until then is kept."
        case .storageFailed(let reason): "Writing failed: \(reason). What was written before is kept."
        }
    }
}

extension RoomEnd {
    fileprivate var sentence: String {
        switch self {
        case .left: "The bot left the room."
        case .kicked: "The bot was kicked out of the room."
        case .roomDestroyed: "The room was destroyed."
        case .refused(let refusal, let message): refusal.sentence(serverMessage: message)
        case .unreachable(let reason): "The server cannot be reached: \(reason)."
        case .tlsFailed(let reason): "There is no secure connection to the server: \(reason)."
        case .serverVanished(let reason): "The server vanished during the call: \(reason)."
        case .iceFailed(let reason): "No path for media could be found (ICE): \(reason)."
        case .dtlsFailed(let reason): "Media could not be secured (DTLS): \(reason)."
        case .notJanus(let reason): "What answers is not a Janus server: \(reason)."
        }
    }
}

extension RoomRefusal {
    fileprivate func sentence(serverMessage: String) -> String {
        let said = serverMessage.isEmpty ? "" : " (the server says: \(serverMessage))"
        return switch self {
        case .noSuchRoom: "The server has no such room\(said)."
        case .wrongPin: "The room wants a pin, or another one: see --pin\(said)."
        case .unauthorized: "The server wants a token or secret, or another one: see --token and --apisecret\(said)."
        case .roomFull: "The room is full\(said)."
        case .nameTaken: "Somebody in the room has the bot's id already\(said)."
        case .other: "The server refused\(said)."
        }
    }
}

extension Duration {
    /// As it would be written on the command line: `1h30m`.
    fileprivate var words: String {
        let milliseconds = nanoseconds / 1_000_000
        let parts = [
            (milliseconds / 3_600_000, "h"), (milliseconds / 60_000 % 60, "m"), (milliseconds / 1000 % 60, "s"),
            (milliseconds % 1000, "ms"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return words.isEmpty ? "0s" : words
    }
}
