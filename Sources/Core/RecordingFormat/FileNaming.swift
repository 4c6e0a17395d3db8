package import MediaTypes

/// How folders and files of a recording are named after rooms and people, who may call themselves anything.
package enum FileNaming {
    package static let manifest = "recording.json"
    package static let journal = "events.jsonl"
    package static let chat = "chat.jsonl"
    package static let subtitles = "chat.vtt"
    package static let composite = "call.webm"
    package static let poster = "poster.jpg"
    package static let report = "report.json"
    /// Small pictures of the whole call in one, and which stands for which part of it.
    package static let thumbnails = "thumbnails.jpg"
    package static let thumbnailCues = "thumbnails.vtt"
    package static let waveform = "waveform.json"
    package static let speaking = "speaking.json"
    package static let tracksFolder = "tracks"
    /// There when the recording is held: nothing removes it then.
    package static let hold = "held"
    /// There while the recording is made, for those who want it changed.
    package static let controlSocket = "control.socket"

    /// The recording's folder within the archive: `2026/11/30/20261130T040728Z-k3f9-room`.
    package static func folder(of id: RecordingID, room: String, startingAt start: WallTime) -> String {
        let day = start.iso8601.prefix(10).split(separator: "-").joined(separator: "/")
        return "\(day)/\(id)-\(safe(room, fallback: "room"))"
    }

    /// A track's file within the recording's folder: `tracks/03-Åsa-screen-share.webm`. Unique by the track's number.
    package static func file(of track: RecordedTrack, participantName: String) -> String {
        let number = track.id.number.padded(2)
        let name = safe(participantName, fallback: safe(track.participant.value, fallback: "unnamed"))
        let source = track.source == .unknown ? track.kind.rawValue : track.source.rawValue
        return "\(tracksFolder)/\(number)-\(name)-\(source).webm"
    }

    /// A text as a part of a file's name: letters, marks and digits of all scripts, `-` and `_`; a `-` for every run of
    /// anything else. At most 80 bytes, cut between characters.
    static func safe(_ text: String, fallback: String) -> String {
        let maximumBytes = 80
        var safe = ""
        var length = 0
        var isGap = false
        for character in text {
            guard character.unicodeScalars.allSatisfy({ isSafe($0) }) else {
                isGap = true
                continue
            }
            let part = (isGap && !safe.isEmpty ? "-" : "") + String(character)
            if length + part.utf8.count > maximumBytes { break }
            safe += part
            length += part.utf8.count
            isGap = false
        }
        // A name that begins with a dash would be taken for an option.
        while safe.first == "-" { safe.removeFirst() }
        while safe.last == "-" { safe.removeLast() }
        return safe.isEmpty ? fallback : safe
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default:
            scalar == "-" || scalar == "_"
        }
    }
}
