import JSON
import Logging
import MediaTypes
import Testing

struct LogFormatTests {
    private func entry(_ message: String, _ metadata: LogMetadata = [:]) -> LogEntry {
        LogEntry(
            time: WallTime(microseconds: 1_000_000), level: .warning, label: "room", message: message,
            metadata: metadata)
    }

    @Test func aPlainLineQuotesOnlyWhatNeedsIt() {
        #expect(
            LogFormat.plain.line(
                entry("joined", ["room": 1234, "name": "Ada Lovelace", "id": "x1", "empty": "", "ok": true]))
                == "1970-01-01T00:00:01.000Z WARNING room: joined room=1234 name=\"Ada Lovelace\" id=x1 empty=\"\" ok=true\n"
        )
    }

    @Test func nothingFromElsewhereSpeaksToTheTerminalOrBreaksTheLine() {
        let evil = "a\u{1b}[2Jb\nc\u{9b}31m\u{202e}d\u{2028}e\r"
        for format in LogFormat.allCases {
            let line = format.line(entry(evil, ["name": .string(evil)]))
            let own = line.replacing("\u{1b}[2m", with: "").replacing("\u{1b}[0m", with: "").replacing(
                "\u{1b}[33m", with: "")
            #expect(own.hasSuffix("\n"))
            for scalar in own.dropLast().unicodeScalars {
                #expect(
                    scalar.value >= 0x20 && !(0x7f...0x9f ~= scalar.value) && scalar.value != 0x202e
                        && scalar.value != 0x2028)
            }
        }
    }

    @Test func aJSONLineIsJSON() throws {
        let line = LogFormat.json.line(
            entry(
                "say \"hi\"\n",
                [
                    "n": 1, "x": 0.5, "no": .init(Double.nan), "secret": .init(Secret("hush")),
                    "t": .init(Duration.seconds(2)),
                ]))
        let value = try JSONValue(parsing: line)
        #expect(
            value == [
                "time": "1970-01-01T00:00:01.000Z", "level": "warning", "label": "room", "message": "say \"hi\"\n",
                "metadata": ["n": 1, "x": 0.5, "no": nil, "secret": "<secret>", "t": 2.0],
            ])
    }

    @Test func aLoggerLeavesOutWhatIsBelowItsLevelWithoutMakingIt() {
        final class Never: LogOutput {
            func write(_ entry: LogEntry) { Issue.record("written") }
        }
        let logger = Logger(label: "x", level: .error, output: Never())
        func costly() -> String {
            Issue.record("evaluated")
            return ""
        }
        logger.warning(costly(), ["x": .string(costly())])
    }
}
