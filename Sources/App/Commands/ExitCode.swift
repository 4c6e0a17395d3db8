package import Recording
import RoomProtocol

/// What the process tells the shell. The one table that `--help`, the README and the tests are made from. Numbers from 64
/// to 78 are those of sysexits.h, 128 and more those of a shell for a signal.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case roomEmpty = 10
    case roomDestroyed = 11
    case kicked = 12
    case tlsFailed = 20
    case noSuchRoom = 21
    case wrongPin = 22
    case roomFull = 23
    case nameTaken = 24
    case refused = 25
    case iceFailed = 30
    case dtlsFailed = 31
    case noMedia = 32
    case netError = 33
    case outputExists = 40
    case beingRecorded = 41
    case notRepaired = 42
    case diskFull = 43
    case alreadyRunning = 44
    case held = 45
    case unsound = 50
    case unfit = 51
    case usage = 64
    case badRecipe = 65
    case noInput = 66
    case unreachable = 69
    case softwareError = 70
    case cannotCreate = 73
    case inputOutputError = 74
    case serverVanished = 75
    case notJanus = 76
    case unauthorized = 77
    case interrupted = 130
    case terminated = 143

    /// What it means, in one sentence.
    package var meaning: String {
        switch self {
        case .success: "Done as asked: the --duration is over, and the recording is whole."
        case .roomEmpty: "Nobody was in the room for the --empty-timeout; the recording is whole."
        case .roomDestroyed: "The room was destroyed; the recording is whole up to then."
        case .kicked: "The bot was kicked out of the room; the recording is whole up to then."
        case .tlsFailed: "The server's certificate is not trusted, or TLS failed otherwise."
        case .noSuchRoom: "The server has no such room."
        case .wrongPin: "The room wants a pin, or another one."
        case .roomFull: "The room is full."
        case .nameTaken: "Somebody in the room has the bot's id already."
        case .refused: "The server refused for another reason, which the log says."
        case .iceFailed: "No path for media could be found, or it broke (ICE)."
        case .dtlsFailed: "Media could not be secured (DTLS)."
        case .noMedia: "People publish, but no media came within the --media-timeout."
        case .netError:
            "The connection was lost for longer than --reconnect; what was captured is kept."
        case .outputExists: "The --output is there already; nothing is ever overwritten."
        case .beingRecorded: "Another process is making the recording just now."
        case .notRepaired: "Something could not be repaired, as the messages say, and is as it was."
        case .diskFull: "Less of the disk is free than the --reserve; a recording that had begun is whole so far."
        case .alreadyRunning:
            "Another recorder of the room (--once) or --status file runs, or the port is taken."
        case .held: "The recording is held: it is not removed before 'callbot release'."
        case .unsound: "'callbot verify' or 'show --verify' found what does not hold, and says it in a line each."
        case .unfit: "'callbot doctor' found a problem with this machine, and says what to do."
        case .usage: "The command line is wrong."
        case .badRecipe: "The recipe is wrong; the message says in which line."
        case .noInput: "The recipe or recording is not there, or cannot be read."
        case .unreachable: "The server cannot be reached: no such name, nobody listening, or no answer."
        case .softwareError: "A fault in callbot itself."
        case .cannotCreate: "The archive or the --output cannot be written to."
        case .inputOutputError: "Writing failed while recording; what was written before is kept."
        case .serverVanished: "The server vanished during the call; what was captured is kept."
        case .notJanus: "What answers at the address is not a Janus server."
        case .unauthorized: "The server wants a --token or --apisecret, or another one."
        case .interrupted: "Stopped by SIGINT (Ctrl-C); the recording is whole."
        case .terminated: "Stopped by SIGTERM; the recording is whole."
        }
    }

    /// The table as `--help` and the README show it.
    package static var table: String {
        allCases.map { code in
            let number = String(code.rawValue)
            return String(repeating: " ", count: 5 - number.count) + number + "  " + code.meaning
        }.joined(separator: "\n")
    }
}

extension ExitCode {
    package init(_ end: RecordingEnd) {
        switch end {
        case .durationReached: self = .success
        case .stopped(signal: 15): self = .terminated
        case .stopped: self = .interrupted
        case .roomEmpty: self = .roomEmpty
        case .room(let end): self.init(end)
        case .connectionLost: self = .netError
        case .noMedia: self = .noMedia
        case .outputUnusable: self = .cannotCreate
        case .outputExists: self = .outputExists
        case .beingRecorded: self = .beingRecorded
        case .notResumable: self = .noInput
        case .noSpaceToBegin, .diskFull: self = .diskFull
        case .storageFailed: self = .inputOutputError
        }
    }

    private init(_ end: RoomEnd) {
        switch end {
        case .left: self = .success
        case .kicked: self = .kicked
        case .roomDestroyed: self = .roomDestroyed
        case .refused(let refusal, _): self.init(refusal)
        case .unreachable: self = .unreachable
        case .tlsFailed: self = .tlsFailed
        case .serverVanished: self = .serverVanished
        case .iceFailed: self = .iceFailed
        case .dtlsFailed: self = .dtlsFailed
        case .notJanus: self = .notJanus
        }
    }

    private init(_ refusal: RoomRefusal) {
        switch refusal {
        case .noSuchRoom: self = .noSuchRoom
        case .wrongPin: self = .wrongPin
        case .unauthorized: self = .unauthorized
        case .roomFull: self = .roomFull
        case .nameTaken: self = .nameTaken
        case .other: self = .refused
        }
    }
}
