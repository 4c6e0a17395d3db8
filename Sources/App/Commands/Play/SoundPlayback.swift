import EventLoop
import Glibc
import MediaTypes
import Playback
import Rendering

/// The sound of a recording as WAV, into a command or to standard output, at the speed at which it is heard. On a thread of
/// its own, since whoever takes it may be slow.
final class SoundPlayback: Sendable {
    private let isStopped = Locked(false)
    private let isDone = Locked(false)

    /// While it is recorded: how much is played at least before it is asked what there is by then, and how much at the end is
    /// not all written yet.
    private static let shortestPart = Duration.seconds(5)
    private static let unwritten = Duration.seconds(2)

    init(_ folder: String, from: TimelineTime, to command: String) throws(CommandFailure) {
        do { _ = try SoundMixdown(folder: folder, from: from) } catch {
            throw CommandFailure(code: .noInput, sentence: "\(error)")
        }
        let (isStopped, isDone) = (isStopped, isDone)
        _ = WorkerThread<Int>(name: "callbot-sound", capacity: 1) {
            Self.play(folder, from, command) { isStopped.withLock { $0 } }
            isDone.withLock { $0 = true }
            return { _ in }
        }
    }

    /// Whether all of it has been taken, or nobody takes it any more.
    var isOver: Bool { isDone.withLock { $0 } }

    func stop() { isStopped.withLock { $0 = true } }

    private static func play(_ folder: String, _ from: TimelineTime, _ command: String, isStopped: () -> Bool) {
        let pipe = command == "-" ? nil : popen(command, "w")
        guard command == "-" || pipe != nil else { return }
        defer { if let pipe { pclose(pipe) } }
        let descriptor = pipe.map { fileno($0) } ?? STDOUT_FILENO
        guard write(header, to: descriptor) else { return }
        let begin = HostClock.now()
        var written = 0
        var position = from
        while !isStopped(), let view = try? RecordingView(folder: folder) {
            let known = TimelineTime.zero + view.duration - unwritten
            guard !view.isRunning || known - position >= shortestPart else {
                usleep(500_000)
                continue
            }
            let end = view.isRunning ? known : nil
            guard let mixdown = try? SoundMixdown(folder: folder, from: position, to: end) else { return }
            while !isStopped(), let samples = mixdown.next() {
                guard write(bytes(of: samples), to: descriptor) else { return }
                written += samples.count / 2
                // Half a second ahead, so that nothing is torn; not more, so that it goes with the text.
                let ahead = Double(written) / 48_000 - (HostClock.now() - begin).seconds - 0.5
                if ahead > 0 { usleep(UInt32(min(ahead, 1) * 1_000_000)) }
            }
            guard let end else { return }
            position = end
        }
    }

    private static func bytes(of samples: [Float]) -> [UInt8] {
        samples.flatMap { sample in
            let value = Int16(max(-32_768, min(32_767, (sample * 32_767).rounded())))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
    }

    /// Of a sound of unknown length: 16 bits, 48 kHz, two channels.
    private static let header: [UInt8] = {
        func little(_ number: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
        return Array("RIFF".utf8) + little(.max, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(2, 2) + little(48_000, 4) + little(192_000, 4) + little(4, 2) + little(16, 2)
            + Array("data".utf8) + little(.max, 4)
    }()

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
