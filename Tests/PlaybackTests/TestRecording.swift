import Foundation
import Testing

/// A recording's folder, written by hand.
final class TestRecording {
    let folder: String

    init(
        manifest: String = TestRecording.plain, events: String = "", chat: String = "", files: [String: [UInt8]] = [:]
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "callbot-playback-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder + "/tracks", withIntermediateDirectories: true)
        try write("recording.json", Array(manifest.utf8))
        if !events.isEmpty { try write("events.jsonl", Array(events.utf8)) }
        if !chat.isEmpty { try write("chat.jsonl", Array(chat.utf8)) }
        for (name, bytes) in files { try write(name, bytes) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: folder + "/" + name))
    }

    static let plain = """
        {"version":1,"id":"20261130T040728Z-k3f9","state":"finished","software":"callbot","room":{"address":"janus+wss://h/1","description":"Daily"},
        "origin":"2026-11-30T04:07:28.123Z","duration":61000000,"end":{"reason":"stopped","message":"Stopped by SIGINT."},
        "participants":[{"id":"1","name":"Ada","stays":[{"from":0,"to":61000000}]},{"id":"2","name":"","stays":[{"from":5000000,"to":9000000,"departure":"quit"}]}],
        "tracks":[{"track":1,"participant":"1","kind":"audio","source":"microphone","codec":"opus","publishedAs":"0","started":80000,"ended":61000000,"file":"tracks/01-Åsa #1?-microphone.webm","firstFrame":120000}],
        "files":[{"path":"events.jsonl","kind":"journal","bytes":10},{"path":"tracks/01-Åsa #1?-microphone.webm","kind":"track","bytes":20}]}
        """
}
