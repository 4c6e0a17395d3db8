import JSON
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage

/// Makes the pictures of one recording, in memory.
struct PicturesMaking {
    struct File {
        var name: String
        var bytes: [UInt8]
    }

    let folder: String
    let manifest: RecordingManifest
    let progress: (Double) -> Bool
    /// The names of the files that are to be made.
    var wanted: Set<String> = []
    var wantsPoster = false

    private(set) var made: [File] = []
    /// What could not be made, a sentence each.
    private(set) var problems: [String] = []

    init(folder: String, manifest: RecordingManifest, progress: @escaping (Double) -> Bool) {
        self.folder = folder
        self.manifest = manifest
        self.progress = progress
    }

    private var duration: Duration { manifest.duration ?? .zero }
    private var composite: String { folder + "/" + FileNaming.composite }

    /// - Throws: `Failure.stopped` when the progress says so; other failures are problems.
    mutating func make(hasComposite: Bool) throws(RecordingPictures.Failure) {
        if wanted.contains(FileNaming.speaking) { makeSpeaking() }
        let wantsThumbnails = wanted.contains(FileNaming.thumbnails) || wanted.contains(FileNaming.thumbnailCues)
        if hasComposite, wantsThumbnails || wantsPoster {
            try attempt(FileNaming.composite) { making throws in try making.makeThumbnails(wantsThumbnails) }
        }
        guard wanted.contains(FileNaming.waveform) else { return }
        if hasComposite {
            try attempt(FileNaming.composite) { making throws in try making.makeWaveform(fromComposite: true) }
        }
        // Where nothing of the composite can be had, the tracks are mixed.
        guard !made.contains(where: { $0.name == FileNaming.waveform }) else { return }
        try attempt(FileNaming.tracksFolder) { making throws in try making.makeWaveform(fromComposite: false) }
    }

    /// Does something; what fails with it is put down as a problem of a file.
    private mutating func attempt(
        _ file: String, _ work: (inout PicturesMaking) throws -> Void
    ) throws(RecordingPictures.Failure) {
        do { try work(&self) } catch {
            if error as? ThumbnailMaker.Failure == .stopped || error as? RecordingPictures.Failure == .stopped {
                throw .stopped
            }
            let problem = "\(file) cannot be used: \(ThumbnailMaker.Failure.unreadable)"
            let reason = error is StorageError ? "\(error)" : problem
            if !problems.contains(reason) { problems.append(reason) }
        }
    }

    private mutating func makeSpeaking() {
        let journal = (try? SmallFile.read(folder + "/" + FileNaming.journal, limit: 1 << 30)) ?? []
        var turns = SpeakingTurns()
        for entry in JournalEntry.entries(in: journal).entries { turns.follow(entry.event, at: entry.at) }
        turns.finish(at: .zero + duration)
        let times = SpeakingTimes(turns, of: manifest.participants, duration: duration)
        made.append(File(name: FileNaming.speaking, bytes: Array(times.json.pretty.utf8)))
    }

    private mutating func makeThumbnails(_ wantsThumbnails: Bool) throws {
        guard let maker = try ThumbnailMaker(file: composite, duration: duration, wantsPoster: wantsPoster) else {
            return
        }
        try maker.draw { progress($0 / 2) }
        if wantsThumbnails {
            made.append(File(name: FileNaming.thumbnails, bytes: try maker.jpeg()))
            made.append(File(name: FileNaming.thumbnailCues, bytes: Array(maker.sheet.cues.utf8)))
        }
        if let poster = try maker.posterJPEG() { made.append(File(name: FileNaming.poster, bytes: poster)) }
    }

    private mutating func makeWaveform(fromComposite: Bool) throws {
        var isStopped = false
        let length = max(0.001, duration.seconds)
        func goesOn(_ time: TimelineTime) -> Bool {
            isStopped = !progress(min(1, 0.5 + time.seconds / length / 2))
            return !isStopped
        }
        let waveform =
            if fromComposite {
                try SoundOverview.waveform(ofFile: composite, duration: duration, progress: goesOn)
            } else {
                try SoundOverview.waveform(ofTracksIn: folder, duration: duration, progress: goesOn)
            }
        if isStopped { throw RecordingPictures.Failure.stopped }
        if let waveform { made.append(File(name: FileNaming.waveform, bytes: waveform.json.compactUTF8)) }
    }
}
