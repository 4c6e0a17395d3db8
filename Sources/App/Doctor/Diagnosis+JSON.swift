import HostReading
package import JSON
import MediaTypes

extension Diagnosis {
    /// For programs: the findings, and the numbers behind them.
    package var json: JSONValue {
        var measured = JSONObject()
        measured["processors"] = .number(measurements.processors.usable)
        measured["openFiles"] = JSONValue(min(measurements.openFiles, 1 << 53))
        measured["freeBytes"] = .integer(measurements.disk.free)
        if let memory = measurements.memory { measured["availableMemory"] = .integer(memory.available) }
        if let cost = measurements.pictures {
            measured["encodingMicroseconds"] = .integer(cost.encoding.microseconds)
            measured["showingMicroseconds"] = .integer(cost.showing.microseconds)
        }
        if let capacity {
            measured["people"] = JSONValue(capacity.people)
            measured["recordings"] = JSONValue(capacity.recordings)
        }
        if case .measured(let bytes, let sync) = measurements.disk.writing {
            measured["writtenBytesPerSecond"] = .integer(Int64(bytes))
            measured["syncMicroseconds"] = .integer(sync.microseconds)
        }
        return [
            "level": JSONValue(level.rawValue),
            "findings": .array(findings.map(\.json)),
            "measured": .object(measured),
        ]
    }
}

extension Finding {
    fileprivate var json: JSONValue {
        [
            "subject": JSONValue(subject.rawValue), "level": JSONValue(level.rawValue), "text": JSONValue(text),
            "advice": advice.map { JSONValue($0) } ?? .null,
        ]
    }
}
