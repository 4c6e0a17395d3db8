import EventLoop
import Glibc
import MediaTypes
import Playback

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
        // What becomes known late may stand before what was shown already.
        var shown: Set<TextLine.Key> = []
        while true {
            for line in view.textLines where line.at >= from && shown.insert(line.key).inserted {
                let due = begin + .seconds((line.at - from).seconds / request.speed)
                if let stopped = await pause(until: due, limit, stopSignal) { return stopped }
                output("\(clock(line.at))  \(ReportPage.printable(line.text))\n")
            }
            if view.isRunning {
                // What happens now is told as soon as it is known.
                if let stopped = await pause(until: HostClock.now() + .seconds(1), limit, stopSignal) { return stopped }
                view = try self.view(of: request.recording)
                continue
            }
            let end = begin + .seconds(max(0, view.duration.seconds - from.seconds) / request.speed)
            if let stopped = await pause(until: end, limit, stopSignal) { return stopped }
            // At the newest moment the sound comes some seconds after the text.
            let patience = HostClock.now() + .seconds(10)
            while let sound, !sound.isOver, HostClock.now() < patience {
                if let stopped = await pause(until: HostClock.now() + .milliseconds(50), limit, stopSignal) {
                    return stopped
                }
            }
            return .success
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
