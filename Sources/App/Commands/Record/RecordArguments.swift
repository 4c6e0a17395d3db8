package import Logging
package import Recording
package import Scheduling

/// What can be said to `callbot record` beside the room, as it is collected from the recipe and the flags.
package struct RecordArguments: Sendable {
    package var room: RoomAddress?
    /// What is asked for; `RecordRecipe` cannot be without a room, so it is held with this one until there is a real one.
    package var recipe = RecordRecipe(room: RoomAddress(isSecure: false, host: "", port: 0, room: ""))
    package var composite = CompositeRecipe()
    package var wantsComposite = true
    package var isCompositeDeferred = false
    /// The recording to go on with.
    package var resumed: String?
    package var logFormat = LogFormatChoice.auto
    package var logLevel = LogLevel.info
    /// Whether no other recorder of the room may run.
    package var isOnce = false
    /// Where it is told how the recorder is doing.
    package var statusFile: String?
    /// Whether pictures are made of the recording when it is over.
    package var makesPictures = true
    /// When a daemon is to record it.
    package var schedule: Schedule?

    package init() {}

    /// The recipe, once it is known for which room. The last choices are made here.
    package func recipe(for room: RoomAddress) -> RecordRecipe {
        var recipe = recipe
        recipe.room = room
        recipe.composite = wantsComposite ? composite : nil
        recipe.isCompositeDeferred = isCompositeDeferred
        return recipe
    }
}

/// `--log-format`
package enum LogFormatChoice: String, CaseIterable, Sendable, ArgumentValue {
    case auto, text, plain, json

    package var format: LogFormat {
        switch self {
        case .auto: StandardErrorOutput.automaticFormat
        case .text: .text
        case .plain: .plain
        case .json: .json
        }
    }
}

extension LogLevel: ArgumentValue {}
