import CallbotTesting
import Composition
import MediaTesting
import MediaTypes
import RecordingFormat

@testable import Rendering

extension SyntheticCall {
    /// Hands everything before `end` to a renderer, as a call does, and returns the file.
    /// - Parameters:
    ///   - controls: what is asked for during the call, and at which millisecond.
    ///   - level: what it gets when it has been handed everything before a moment.
    func render(
        _ settings: RenderSettings = .small, controls: [(at: Int64, event: ControlEvent)] = [], until end: Int64,
        advancingBy step: Int64 = 200, level: (TimelineTime) -> CompositeLevel = { _ in .full }
    ) throws -> RenderedFile {
        let output = MemoryOutput()
        let renderer = try Renderer(settings, output: output)
        for control in controls { renderer.handle(control.event, at: .ms(control.at)) }
        var told = TimelineTime.zero
        for (time, item) in sorted where time < .ms(end) {
            while told + .milliseconds(step) <= time {
                told = told + .milliseconds(step)
                renderer.level = level(told)
                try renderer.advance(to: told)
            }
            switch item {
            case .event(let event): renderer.handle(event, at: time)
            case .frame(let frame, let id): renderer.frame(frame, of: id)
            }
        }
        let summary = try renderer.finish(at: .ms(end))
        return try RenderedFile(output.bytes, summary)
    }
}

extension RenderSettings {
    static var small: RenderSettings {
        var settings = RenderSettings()
        settings.size = PixelSize(width: 320, height: 180)
        settings.videoBitRate = 800_000
        settings.hasLabels = false
        return settings
    }
}

final class MemoryOutput: RenderOutput {
    private(set) var bytes: [UInt8] = []
    func append(_ bytes: [UInt8]) { self.bytes += bytes }
    func patch(offset: Int64, _ bytes: [UInt8]) {
        self.bytes.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes)
    }
}
