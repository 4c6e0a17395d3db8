import JSON
import Logging
import MediaTypes
package import Recording

extension RecordArguments {
    /// Everything that can be set for a recording: on the command line, in a recipe, in the help.
    package static let settings: [SettingGroup<RecordArguments>] = [
        SettingGroup(title: "When it ends", settings: ending),
        SettingGroup(title: "Where it goes", settings: destination),
        SettingGroup(title: "In the room", settings: presence),
        SettingGroup(title: "The composite", settings: compositing),
        SettingGroup(title: "The network", settings: network),
        SettingGroup(title: "The log, and who watches", settings: logging),
    ]

    private static let ending: [Setting<RecordArguments>] = [
        .option("duration", "TIME", "End after this time.", key: "duration", as: Duration.self) {
            $0.recipe.duration = $1
        },
        .option(
            "empty-timeout", "TIME",
            "End when nobody else has been in the room for this time; 'never' (the default) to wait.",
            key: "emptyTimeout", as: Patience.self
        ) { $0.recipe.emptyTimeout = $1.duration },
        .option(
            "media-timeout", "TIME",
            "Give up when people publish but no media comes for this time from the start (default 30s); 'never' to wait.",
            key: "mediaTimeout", as: Patience.self
        ) { $0.recipe.mediaTimeout = $1.duration },
        .option(
            "reconnect", "TIME",
            "Come back into the same recording after a break of the connection, trying for this time; 'never' to end at the first one (default 20m; 30s with --layout arcall, as the app does).",
            key: "reconnect", as: Patience.self
        ) { $0.recipe.reconnecting = $1.duration.map(ReconnectChoice.upTo) ?? .never },
    ]

    private static let destination: [Setting<RecordArguments>] = [
        .option(
            "archive", "FOLDER",
            "Make the recording's folder in this archive (default $CALLBOT_ARCHIVE, else callbot/archive in the user's data directory).",
            key: "archive", as: PathArgument.self
        ) {
            $0.recipe.archive = $1.path
            $0.recipe.output = nil
        },
        .option(
            "output", letter: "o", "FOLDER", "Make exactly this folder instead; it must not exist yet.", key: "output",
            as: PathArgument.self
        ) {
            $0.recipe.output = $1.path
            $0.recipe.archive = nil
        },
        .option(
            "resume", "RECORDING",
            "Go on with this recording (its id, 'last', or its folder), whose recorder was stopped: in the same folder, on the same timeline. Room and options are as they were, unless they are given; secrets must be given again. The composite is made after the call.",
            as: String.self
        ) { $0.resumed = $1 },
        .flag(
            "once", "Do nothing when a recorder of this room runs already that goes into the same archive.", key: "once"
        ) { $0.isOnce = $1 },
        .flag(
            "no-pictures",
            "Do not make thumbnails and the like when the recording is over; 'callbot pictures' can make them later.",
            key: "pictures", means: false
        ) { $0.makesPictures = $1 },
        .option(
            "reserve", "SIZE",
            "How much of the disk stays free, such as 500M or 2G (default 32M): with less no recording begins, and one that runs ends. The composite is left to a later rendering at twice this much.",
            key: "reserve", as: ByteSize.self
        ) { (arguments, size) throws(InvalidValue) in
            arguments.recipe.reserve = try size.within(1_000_000...1_000_000_000_000_000)
        },
    ]

    private static let presence: [Setting<RecordArguments>] = [
        .option("name", "NAME", "The name to be listed with (default Recorder).", key: "name", as: String.self) {
            $0.recipe.name = $1
        },
        .secret("pin", "The room's pin.", key: "pin") { $0.recipe.access.pin = $1 },
        .secret("token", "The server's token, stored or signed.", key: "token") { $0.recipe.access.token = $1 },
        .secret("apisecret", "The server's API secret.", key: "apisecret") { $0.recipe.access.apiSecret = $1 },
        .secret("room-token", "The room's own token, where it has a list of who may join.", key: "roomToken") {
            $0.recipe.access.roomToken = $1
        },
        .option(
            "text-room", "ID",
            "Log the chat of this TextRoom; 'none' for no chat (default: the one with the room's id, if there is one).",
            key: "textRoom", as: ChatChoice.self
        ) { $0.recipe.chat = $1 },
    ]

    private static let compositing: [Setting<RecordArguments>] =
        [
            .flag(
                "no-composite", "Record the tracks only; 'callbot render' can make the composite later.",
                key: "composite",
                means: false
            ) { $0.wantsComposite = $1 },
            .flag(
                "defer-composite",
                "Leave the composite for after the call: 'callbot render RECORDING --replace' makes it, or the daemon by itself.",
                key: "deferComposite"
            ) { $0.isCompositeDeferred = $1 },
        ] + CompositeRecipe.settings { (arguments, change) throws(InvalidValue) in try change(&arguments.composite) }

    private static let network: [Setting<RecordArguments>] = [
        .option(
            "stun", "HOST:PORT", "A STUN server; may be given again.", key: "stun", as: NetworkChoice.STUNServer.self,
            reset: { $0.recipe.network.stunServers = [] }
        ) { $0.recipe.network.stunServers.append($1) },
        .option(
            "turn", "URI,USER,PASSWORD",
            "A TURN server: turn:HOST:PORT or turns:HOST:PORT, then '?transport=tcp' if wanted; the password may be a SECRET as below. May be given again.",
            key: "turn", as: NetworkChoice.TURNServer.self, isSecret: NetworkChoice.TURNServer.isLiteral,
            reset: { $0.recipe.network.turnServers = [] }
        ) { $0.recipe.network.turnServers.append($1) },
        .option(
            "ca-file", "FILE", "Trust the certificates in this PEM file instead of the system's (wss).", key: "caFile",
            as: PathArgument.self
        ) { $0.recipe.network.certificateAuthorityFile = $1.path },
        .flag("insecure", "Accept any certificate of the server (wss). For tests only.", key: "insecure") {
            $0.recipe.network.acceptsAnyCertificate = $1
        },
    ]

    private static let logging: [Setting<RecordArguments>] = [
        .option(
            "log-format", "FORMAT", "auto, text, plain or json (default auto: text on a terminal, else plain).",
            key: "logFormat", as: LogFormatChoice.self
        ) { $0.logFormat = $1 },
        .option(
            "log-level", "LEVEL", "trace, debug, info, notice, warning, error or critical (default info).",
            key: "logLevel", as: LogLevel.self
        ) { $0.logLevel = $1 },
        .option(
            "status", "FILE",
            "Say in this file (JSON) how the recorder is doing, at every change and every two seconds, and how it ended.",
            key: "status", as: PathArgument.self
        ) { $0.statusFile = $1.path },
    ]
}

/// A time, or `never`.
private struct Patience: NumericArgumentValue {
    let duration: Duration?

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Patience {
        text == "never" ? Patience(duration: nil) : Patience(duration: try Duration.parse(text, in: environment))
    }
}

/// The id of a TextRoom, or `none`.
extension ChatChoice: NumericArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> ChatChoice {
        text == "none" ? .none : .room(try String.parse(text, in: environment))
    }
}
