import Archive
import Storage

/// A recording as people name it: its folder, wherever that is, or else what `callbot list` calls it.
struct NamedRecording {
    var name: String
    /// Nil for the user's own archive.
    var archive: String?

    /// The path of its folder. What is a path already is left as it is, so that a command itself says what is wrong with it.
    func folder(in environment: Environment) throws(CommandFailure) -> String {
        guard !Folder.exists(name) else { return name }
        let place = archive ?? environment.archive
        do throws(ArchiveError) {
            let archive = try Archive(place)
            return archive.path(of: try archive.recording(named: name))
        } catch {
            guard !name.contains("/") else { return name }
            switch error {
            case .noArchive, .noSuchRecording:
                let sentence = "'\(name)' is no folder, and there is no recording of that id in the archive \(place)"
                throw CommandFailure(code: .noInput, sentence: ReportPage.printable(sentence))
            default: throw CommandFailure(code: ExitCode(error), sentence: ReportPage.printable("\(error)"))
            }
        }
    }
}

/// A request about one recording, which may be named by its id.
protocol RecordingRequest: Sendable {
    /// Its name, and then its folder.
    var recording: String { get set }
    /// The archive in which it is looked for; nil for the user's own.
    var archive: String? { get set }
}

extension RecordingRequest {
    /// Puts the recording's folder in the place of its name.
    func located(in environment: Environment) throws(CommandFailure) -> Self {
        var request = self
        request.recording = try NamedRecording(name: recording, archive: archive).folder(in: environment)
        return request
    }
}

extension Setting where Target: RecordingRequest {
    static var archive: Setting {
        .option(
            "archive", "FOLDER",
            "The archive that the RECORDING is in (default $CALLBOT_ARCHIVE, else callbot/archive in the user's data directory).",
            as: PathArgument.self
        ) { $0.archive = $1.path }
    }
}
