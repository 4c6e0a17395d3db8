import Capture
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import WebM

/// A track's file, and what is in it.
struct TrackSurvey {
    /// Within the recording's folder.
    var file: String
    var survey: SegmentSurvey

    /// The number that the file's name begins with.
    var id: TrackID? {
        file.split(separator: "/").last.flatMap { Int($0.prefix { $0.isNumber }) }.map { TrackID($0) }
    }
}

extension RecordingRepair {
    /// Looks into the files of all tracks.
    func surveyTracks() throws(Failure) -> [TrackSurvey] {
        var surveys: [TrackSurvey] = []
        let names = (try? Folder.entries(path(FileNaming.tracksFolder))) ?? []
        for name in names where name.hasSuffix(".webm") {
            let file = FileNaming.tracksFolder + "/" + name
            do {
                let survey = try WebMRepair(path: path(file)).survey { progress(file, $0 / 2) }
                surveys.append(TrackSurvey(file: file, survey: survey))
            } catch {
                try note(error, of: file)
            }
        }
        return surveys
    }

    /// Finishes the files that are not, and gives all the recording's length.
    func finishTracks(_ surveys: [TrackSurvey]) throws(Failure) {
        for found in surveys {
            var repair = WebMRepair(path: path(found.file))
            repair.duration = manifest.duration
            if let track = manifest.tracks.first(where: { $0.file == found.file }) {
                repair.tags = track.tags(
                    participantName: manifest.name(of: track.participant), roomAddress: manifest.room.address)
            }
            do {
                report(try repair.repair(knowing: found.survey) { progress(found.file, 0.5 + $0 / 2) }, found.file)
            } catch {
                try note(error, of: found.file)
            }
        }
    }

    /// Says what became of a file.
    func report(_ outcome: WebMRepair.Outcome, _ file: String) {
        switch outcome {
        case .whole: report(file, "whole")
        case .amended: report(file, "whole, now of the recording's length")
        case .repaired(leftOut: 0): report(file, "finished")
        case .repaired(let bytes): report(file, "finished, without \(bytes) torn bytes")
        }
    }

    /// Goes on without a file that cannot be repaired; it stays as it is.
    func note(_ failure: WebMRepair.Failure, of file: String) throws(Failure) {
        switch failure {
        case .stopped: throw .stopped
        case .storage(let error) where error.cause == .noSpace || error.cause == .readOnly: throw .storage(error)
        case .storage(let error): report(file, "left as it is: \(error)", isFailure: true)
        case .unusable(let problem): report(file, "left as it is: \(problem.words)", isFailure: true)
        case .isChanging: report(file, "left as it is: somebody writes to it", isFailure: true)
        }
    }
}

extension SegmentSurvey.Problem {
    /// In words: "it is no WebM or Matroska file".
    package var words: String {
        switch self {
        case .notMatroska: "it is no WebM or Matroska file, or its very beginning is missing"
        case .noTracks: "it ends before it says which tracks it has, so nothing of it can be played"
        case .severalFiles: "it is several files, one behind the other"
        }
    }
}

extension RecordingManifest {
    /// Takes over what a track's file holds.
    mutating func take(_ found: TrackSurvey) {
        guard found.survey.problem == nil, let id = found.id, let content = found.survey.tracks.first else { return }
        if !tracks.contains(where: { $0.id == id }) { addTrack(id, found, content) }
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
        tracks[index].file = found.file
        tracks[index].take(content)
    }

    /// A track that nothing else knows of.
    private mutating func addTrack(_ id: TrackID, _ found: TrackSurvey, _ content: SegmentSurvey.Track) {
        let codecs: [String: Codec] = ["A_OPUS": .opus, "V_VP8": .vp8, "V_VP9": .vp9]
        guard let kind = content.kind, let codec = codecs[content.codecID] else { return }
        let words = found.file.dropLast(5).split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let tags = found.survey.tags
        let name = tags["PARTICIPANT_NAME"] ?? (words.count > 1 ? words[1] : "")
        let participant = ParticipantID(tags["PARTICIPANT"] ?? name)
        let source = TrackSource.allCases.first {
            tags["SOURCE"] == $0.rawValue || found.file.hasSuffix("-\($0.rawValue).webm")
        }
        let publication = TrackPublication(
            id: id, participant: participant, kind: kind, source: source ?? .unknown, codec: codec, description: "",
            publishedAs: MediaSectionID(""), section: MediaSectionID(""))
        let start = content.firstFrame ?? .zero
        tracks.append(RecordedTrack(publication, started: start))
        tracks.sort { $0.id < $1.id }
        if !participants.contains(where: { $0.id == participant }) {
            participants.append(RecordedParticipant(id: participant, name: name, stays: [.init(from: start)]))
        }
    }
}
