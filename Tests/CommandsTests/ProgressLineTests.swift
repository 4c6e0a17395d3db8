import EventLoop
import Logging
import MediaTypes
import Recording
import Testing

@testable import Commands

struct ProgressLineTests {
    private let progress = RecordingProgress(
        elapsed: .seconds(3723), people: 3, tracks: 5, incomingBitRate: 2_140_000, outgoingBitRate: 912_000,
        loss: 0.0123,
        freeDisk: 41_250_000_000)

    @Test(arguments: [
        (200, "1:02:03  3 people  5 tracks  in 2.1 Mbit/s  loss 1.2 %  disk 912 kbit/s  41.3 GB free"),
        (84, "1:02:03  3 people  5 tracks  in 2.1 Mbit/s  loss 1.2 %  disk 912 kbit/s"),
        (30, "1:02:03  3 people  5 tracks"), (7, "1:02:03"), (6, ""), (0, ""),
    ])
    func aNarrowTerminalShowsTheMostTellingFigures(columns: Int, line: String) {
        #expect(progress.line(columns: columns) == line)
    }

    @Test func figuresThatAreNoneDoNotBreakTheLine() {
        let odd = RecordingProgress(elapsed: .seconds(-5), people: 1, tracks: 1, loss: .nan)
        #expect(odd.line(columns: 200) == "0:00:00  1 person  1 track  in 0 kbit/s  loss ? %  disk 0 kbit/s")
    }

    @Test func theLogScrollsAboveTheLineAndTheEndTakesItAway() {
        let written = Locked("")
        let line = ProgressLine(format: .plain, columns: { 12 }) { text in written.withLock { $0 += text } }
        func take() -> String {
            written.withLock { text in
                defer { text = "" }; return text
            }
        }
        let entry = LogEntry(
            time: WallTime(microseconds: 0), level: .info, label: "test", message: "hello", metadata: ["n": 1])
        let logged = "1970-01-01T00:00:00.000Z INFO test: hello n=1\n"
        line.write(entry)
        #expect(take() == logged)
        line.show(progress)
        #expect(take() == "\r\u{1b}[K1:02:03")
        line.write(entry)
        #expect(take() == "\r\u{1b}[K\(logged)1:02:03")
        line.finish()
        #expect(take() == "\r\u{1b}[K")
        line.finish()
        line.write(entry)
        #expect(take() == logged)
    }
}

@Test(arguments: [
    (0.0, 0, "[--------------------]  0 %"), (0.5, 0, "[##########----------]  50 %"),
    (0.25, 20, "[#####---------------]  25 %  about 1:00 left"),
    (0.9, 585, "[##################--]  90 %  about 1:05 left"),
    (1, 60, "[####################]  100 %  about 0:00 left"),
])
func aRenderingTellsHowLongItWillTake(share: Double, seconds: Int, line: String) {
    #expect(RenderCommand.progress(share, after: .seconds(seconds)) == line)
}
