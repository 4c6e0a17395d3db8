import EventLoop
import Glibc
import MediaTypes
import Playback
import Rendering

extension PlayCommand {
    /// Follows the recording as text.
    /// - Parameter output: takes a line.
    static func follow(
        _ request: Request, stopSignal: @Sendable () -> Int32?, output: (String) -> Void
    ) async throws(CommandFailure) -> ExitCode {
        var view = try view(of: request.recording)
        let from = TimelineTime.zero + request.from
        let sound = try request.sound.map { (command) throws(CommandFailure) in
            try SoundPlayback(request.recording, from: from, to: command)
        }
        defer { sound?.stop() }
        let begin = HostClock.now()
        let limit = request.time.map { begin + $0 }
        var shown = 0
        while true {
            let lines = view.textLines.filter { $0.at >= from }
            for line in lines.dropFirst(shown) {
                let due = begin + .seconds((line.at - from).seconds / request.speed)
                if let stopped = await pause(until: due, limit, stopSignal) { return stopped }
                output("\(clock(line.at))  \(ReportPage.printable(line.text))\n")
            }
            shown = max(shown, lines.count)
            if view.isRunning {
                // What happens now is told as soon as it is known.
                if let stopped = await pause(until: HostClock.now() + .seconds(1), limit, stopSignal) { return stopped }
                view = try self.view(of: request.recording)
                continue
            }
            let end = begin + .seconds(max(0, view.duration.seconds - from.seconds) / request.speed)
            return await pause(until: end, limit, stopSignal) ?? .success
        }
    }

    /// Waits until a moment; what it returns is why to stop before it.
    private static func pause(
        until moment: MonotonicTime, _ limit: MonotonicTime?, _ stopSignal: @Sendable () -> Int32?
    ) async -> ExitCode? {
        while HostClock.now() < moment {
            if let signal = stopSignal() { return signal == SIGINT ? .interrupted : .terminated }
            if let limit, HostClock.now() >= limit { return .success }
            let left = Duration.nanoseconds((moment - HostClock.now()).nanoseconds)
            try? await Task.sleep(for: min(max(left, .zero), .milliseconds(50)))
        }
        if let signal = stopSignal() { return signal == SIGINT ? .interrupted : .terminated }
        return limit.map { HostClock.now() >= $0 } ?? false ? .success : nil
    }

    private static func clock(_ time: TimelineTime) -> String {
        let seconds = max(0, time.microseconds / 1_000_000)
        let tail = "\((seconds / 60 % 60).padded(seconds >= 3600 ? 2 : 1)):\((seconds % 60).padded(2))"
        return seconds >= 3600 ? "\(seconds / 3600):\(tail)" : tail
    }
}

/// The sound of a recording as WAV, into a command or to standard output, at the speed at which it is heard. On a thread of
/// its own, since whoever takes it may be slow.
final class SoundPlayback: Sendable {
    private let isStopped = Locked(false)

    init(_ folder: String, from: TimelineTime, to command: String) throws(CommandFailure) {
        do { _ = try SoundMixdown(folder: folder, from: from) } catch {
            throw CommandFailure(code: .noInput, sentence: "\(error)")
        }
        let isStopped = isStopped
        _ = WorkerThread<Int>(name: "callbot-sound", capacity: 1) {
            Self.play(folder, from, command) { isStopped.withLock { $0 } }
            return { _ in }
        }
    }

    func stop() { isStopped.withLock { $0 = true } }

    private static func play(_ folder: String, _ from: TimelineTime, _ command: String, isStopped: () -> Bool) {
        guard let mixdown = try? SoundMixdown(folder: folder, from: from) else { return }
        let pipe = command == "-" ? nil : popen(command, "w")
        guard command == "-" || pipe != nil else { return }
        defer { if let pipe { pclose(pipe) } }
        let descriptor = pipe.map { fileno($0) } ?? STDOUT_FILENO
        guard write(header, to: descriptor) else { return }
        let begin = HostClock.now()
        var written = 0
        while !isStopped(), let samples = mixdown.next() {
            let bytes = samples.flatMap { sample in
                let value = Int16(max(-32_768, min(32_767, (sample * 32_767).rounded())))
                return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
            }
            guard write(bytes, to: descriptor) else { return }
            written += samples.count / 2
            // Half a second ahead, so that nothing is torn; not more, so that it goes with the text.
            let ahead = Double(written) / 48_000 - (HostClock.now() - begin).seconds - 0.5
            if ahead > 0 { usleep(UInt32(min(ahead, 1) * 1_000_000)) }
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
