import Foundation
import Glibc
import JSON
import Testing
import WebServer

@testable import Playback

@Suite struct RecordingSiteTests {
    private func get(_ path: [String], in folder: String, headers: Headers = Headers(), query: [QueryItem] = [])
        -> Response
    {
        RecordingSite.respond(
            to: Request(.get, path: ["r", "x"] + path, query: query, headers: headers), path: path, folder: folder)
    }

    private func text(_ response: Response) -> String {
        switch response.body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .file(let file): String(decoding: file.read(at: 0, count: Int(file.length)), as: UTF8.self)
        case .events: ""
        }
    }

    @Test func thePageComesWithAStrictPolicy() throws {
        let recording = try TestRecording()
        let page = get([""], in: recording.folder)
        #expect(page.status == 200)
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        let policy = try #require(page.headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("require-trusted-types-for 'script'"))
        for word in ["unsafe", "data:", "*", "http"] { #expect(!policy.contains(word)) }
        let html = text(page)
        for pattern in ["<style", " style=", " onclick", "javascript:", "http://", "https://", "<script>"] {
            #expect(!html.contains(pattern), "\(pattern)")
        }
        let tag = try #require(page.headers["ETag"])
        #expect(get([""], in: recording.folder, headers: ["If-None-Match": tag]).status == 304)
        #expect(get([], in: recording.folder).headers["Location"] == "x/")
    }

    /// Nothing that comes from a recording is ever markup.
    @Test func thePageMakesNoMarkupOfText() {
        for file in PageFiles.all where file.name.hasSuffix(".js") {
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser",
            ] {
                #expect(!file.text.contains(word), "\(file.name) has \(word)")
            }
        }
    }

    @Test func everythingThatThePageNamesIsThere() throws {
        let recording = try TestRecording()
        for file in PageFiles.all {
            let parts = file.text.split { "\"'`() ".contains($0) }.map(String.init)
            let named = parts.filter { $0.hasPrefix("page/") || $0.hasPrefix("./") && $0.hasSuffix(".js") }
            for name in named {
                let last = String(name.split(separator: "/").last ?? "")
                #expect(get(["page", last], in: recording.folder).status == 200, "\(file.name) names \(name)")
            }
        }
        #expect(get(["page", "player.css"], in: recording.folder).headers["Content-Type"] == "text/css; charset=utf-8")
        #expect(
            get(["page", "main.js"], in: recording.folder).headers["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(get(["page", "nothing.js"], in: recording.folder).status == 404)
    }

    @Test func everyFileIsBuiltIn() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/App/Playback/Page")
        #expect(
            PageFiles.all.map(\.name) == (try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()))
    }

    @Test(arguments: [
        ("thumbnails.jpg", "image/jpeg"), ("poster.jpg", "image/jpeg"), ("thumbnails.vtt", "text/vtt; charset=utf-8"),
        ("waveform.json", "application/json"), ("speaking.json", "application/json"),
    ])
    func whatIsMadeAfterACallHasItsType(name: String, type: String) throws {
        let recording = try TestRecording(files: [name: [1]])
        #expect(get(["files", name], in: recording.folder).headers["Content-Type"] == type)
        #expect(get(["files", "tracks", name], in: recording.folder).status == 404)
    }

    @Test func onlyTheRecordingsOwnFilesAreServed() throws {
        let recording = try TestRecording(
            events: "{}\n",
            files: [
                "call.webm": Array("media".utf8), "tracks/01-a.webm": Array("track".utf8), "secret": [1],
                "page.html": [1],
            ])
        symlink("/etc/passwd", recording.folder + "/link.webm")
        symlink("/etc/passwd", recording.folder + "/tracks/link.webm")
        symlink("/etc", recording.folder + "/etc.webm")
        #expect(text(get(["files", "call.webm"], in: recording.folder)) == "media")
        #expect(text(get(["files", "tracks", "01-a.webm"], in: recording.folder)) == "track")
        #expect(get(["files", "recording.json"], in: recording.folder).status == 200)
        let download = get(
            ["files", "call.webm"], in: recording.folder, query: [QueryItem(name: "download", value: "")])
        #expect(download.headers["Content-Disposition"] == "attachment; filename*=UTF-8''call.webm")
        for path in [
            ["secret"], ["page.html"], ["link.webm"], ["tracks", "link.webm"], ["etc.webm", "passwd"],
            ["..", "x.webm"], ["tracks"],
            ["tracks", ""], [""], [], ["control.socket"], ["tracks", "..", "call.webm"],
        ] {
            #expect(get(["files"] + path, in: recording.folder).status == 404, "\(path)")
        }
        #expect(get(["other"], in: recording.folder).status == 404)
        #expect(get(["view.json"], in: "/nowhere").status == 404)
        let post = RecordingSite.respond(to: Request(.post, path: [""]), path: [""], folder: recording.folder)
        #expect(post.status == 405)
    }

    @Test func theViewIsReadAgainOnlyWhenItIsAnotherOne() throws {
        let recording = try TestRecording(
            chat: #"{"at":1,"kind":"message","name":"A","text":"<b>&","history":false}"# + "\n")
        let view = get(["view.json"], in: recording.folder)
        #expect(view.headers["Content-Type"] == "application/json")
        #expect(try JSONValue(parsing: text(view))["chat"]?.array?.count == 1)
        let tag = try #require(view.headers["ETag"])
        #expect(get(["view.json"], in: recording.folder, headers: ["If-None-Match": tag]).status == 304)
        #expect(text(get(["chat.vtt"], in: recording.folder)).hasSuffix("<v A>&lt;b&gt;&amp;\n"))
        try recording.write("events.jsonl", Array(#"{"at":1,"event":"mark","text":"m"}"#.utf8))
        #expect(get(["view.json"], in: recording.folder, headers: ["If-None-Match": tag]).status == 200)
    }
}
