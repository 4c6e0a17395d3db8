import EventLoop
import Foundation
import Glibc
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(1)), .serialized)
struct WebServerTests {
    private func with(
        _ configure: (inout WebServer.Configuration) -> Void = { _ in }, _ body: (TestSite) async throws -> Void
    ) async throws {
        let site = try await TestSite(configure)
        do { try await body(site) } catch {
            await site.close()
            throw error
        }
        await site.close()
    }

    @Test func aFileIsServedWholeWithWhatABrowserWantsToKnow() async throws {
        try await with { site in
            let answer = try await site.client.get("/files/call.webm")
            #expect(answer.status == 200)
            #expect(answer.body == TestSite.contents)
            #expect(answer["Content-Length"] == "\(TestSite.length)")
            #expect(answer["Accept-Ranges"] == "bytes")
            #expect(answer["Content-Type"] == "video/webm")
            #expect(answer["ETag"]?.hasPrefix("\"") == true)
            #expect(answer["Last-Modified"]?.hasSuffix(" GMT") == true)
            let inner = try await site.client.get("/files/tracks/01-%C3%85sa-microphone.webm")
            #expect(inner.text == "inner")
            #expect(try await site.client.get("/files/empty").body.isEmpty)
        }
    }

    @Test func everyAnswerForbidsWhatNoPageNeeds() async throws {
        try await with { site in
            let bad = try await site.client.send(["NONSENSE\r\n\r\n"])
            var answers = [bad]
            for target in ["/files/call.webm", "/nowhere", "/files/../secret", "/path"] {
                answers.append(try await site.client.get(target))
            }
            for answer in answers {
                #expect(answer["Content-Security-Policy"]?.contains("default-src 'none'") == true, "\(answer.head)")
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                #expect(answer["Referrer-Policy"] == "no-referrer")
                #expect(answer["Cross-Origin-Opener-Policy"] == "same-origin")
                #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
                #expect(answer["Server"] == nil)
            }
        }
    }

    @Test(arguments: [
        "/files/../secret", "/files/..%2fsecret", "/files/%2e%2e/secret", "/files/%2E%2E%2Fsecret",
        "/files/.%2e/secret",
        "/files/%252e%252e/secret", "/files/..%5csecret", "/files/..\\secret", "/files/%c0%ae%c0%ae/secret",
        "/files/%e0%80%ae%e0%80%ae/secret", "/files/..%00/secret", "/files/call.webm%00.txt", "/files//etc/passwd",
        "/files/%2fetc%2fpasswd", "/files/tracks/../../secret", "//files/call.webm",
        "/files/up/secret", "/files/link", "/files/inner-link", "/files/pipe", "/files/tracks", "/files/tracks/",
        "/files/",
        "/files", "/files/call.webm/", "/files/%", "/files/%4", "/files/%zz", "/files/\u{202E}",
        "/files/%0d%0aSet-Cookie:x",
        "files/call.webm", "*", "/files/call.webm#x", "http://127.0.0.1/files/../secret", "/files/%uff0e%uff0e/secret",
    ])
    func noWayLeadsOut(target: String) async throws {
        try await with { site in
            let answer = try await site.client.get(target)
            if target.hasSuffix("#x") { return }
            #expect(answer.status == 404 || answer.status == 400, "\(answer.head)")
            #expect(!answer.text.contains("secret"))
            #expect(answer["Set-Cookie"] == nil)
        }
    }

    @Test(arguments: [
        ("bytes=0-9", 206, 0..<10), ("bytes=299990-", 206, 299_990..<300_000), ("bytes=-5", 206, 299_995..<300_000),
        ("bytes=-999999", 206, 0..<300_000), ("bytes=100-999999999", 206, 100..<300_000), ("bytes=5-5", 206, 5..<6),
        ("bytes=300000-", 416, 0..<0), ("bytes=-0", 416, 0..<0), ("bytes=99999999999999999999-", 416, 0..<0),
        ("bytes=0-99999999999999999999", 206, 0..<300_000), ("bytes=9-5", 200, 0..<300_000),
        ("bytes=0-1,3-4", 200, 0..<300_000),
        ("bytes=a-b", 200, 0..<300_000), ("bytes=", 200, 0..<300_000), ("bytes=-", 200, 0..<300_000),
        ("lines=1-2", 200, 0..<300_000),
        ("bytes=--5", 200, 0..<300_000), ("bytes=0x1-5", 200, 0..<300_000),
        ("bytes=70000-200000", 206, 70_000..<200_001),
    ])
    func ranges(field: String, status: Int, range: Range<Int>) async throws {
        try await with { site in
            let answer = try await site.client.get("/files/call.webm", fields: ["Range: \(field)"])
            #expect(answer.status == status)
            #expect(answer.body == Array(TestSite.contents[range]))
            #expect(answer["Content-Length"] == "\(range.count)")
            switch status {
            case 206: #expect(answer["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/300000")
            case 416: #expect(answer["Content-Range"] == "bytes */300000")
            default: #expect(answer["Content-Range"] == nil)
            }
            let head = try await site.client.get("/files/call.webm", method: "HEAD", fields: ["Range: \(field)"])
            #expect(head.status == status)
            #expect(head.body.isEmpty)
            #expect(head["Content-Length"] == "\(range.count)")
        }
    }

    @Test func whatIsKnownIsNotSentAgain() async throws {
        try await with { site in
            let first = try await site.client.get("/files/call.webm", method: "HEAD")
            let tag = try #require(first["ETag"])
            let date = try #require(first["Last-Modified"])
            func status(_ fields: String...) async throws -> Int {
                let answer = try await site.client.get("/files/call.webm", fields: fields)
                if answer.status == 304 { #expect(answer.body.isEmpty) }
                return answer.status
            }
            #expect(try await status("If-None-Match: \(tag)") == 304)
            #expect(try await status("If-None-Match: \"x\", W/\(tag)") == 304)
            #expect(try await status("If-None-Match: *") == 304)
            #expect(try await status("If-None-Match: \"x\"") == 200)
            #expect(try await status("If-Modified-Since: \(date)") == 304)
            #expect(try await status("If-None-Match: \"x\"", "If-Modified-Since: \(date)") == 200)
            #expect(try await status("If-Match: \"x\"") == 412)
            #expect(try await status("If-Range: \(tag)", "Range: bytes=0-1") == 206)
            #expect(try await status("If-Range: \(date)", "Range: bytes=0-1") == 206)
            #expect(try await status("If-Range: \"x\"", "Range: bytes=0-1") == 200)
            // A file that grows is another one, and as long as it is now.
            let file = try FileHandle(forWritingTo: URL(filePath: site.folder + "/root/call.webm"))
            try file.seekToEnd()
            try file.write(contentsOf: Data("more".utf8))
            try file.close()
            #expect(try await status("If-None-Match: \(tag)") == 200)
            let grown = try await site.client.get("/files/call.webm", fields: ["Range: bytes=300000-"])
            #expect(grown.text == "more")
            #expect(grown["Content-Range"] == "bytes 300000-300003/300004")
        }
    }

    @Test func pathsAndQueriesAreDecodedOnce() async throws {
        try await with { site in
            let decoded = try await site.client.get("/path/%41%2520%C3%85/?a=1&b=x+y%26z&c")
            #expect(decoded.text == "path|A%20Å| a=1 b=x y&z c=\n")
            let absolute = try await site.client.get("http://localhost/path/x")
            #expect(absolute.text == "path|x\n")
            let malformed = try await site.client.get("/path?a=%ff")
            #expect(malformed.status == 400)
        }
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("[::1]", true), ("LOCALHOST:80", true), ("calls.example.org", true),
        ("evil.example", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example:80", false), ("", false),
        ("127.0.0.2", false), ("[::1", false), ("localhost@evil.example", false),
    ])
    func onlyItsOwnNamesAreAnswered(host: String, isAdmitted: Bool) async throws {
        try await with {
            $0.hosts = ["calls.example.org"]
        } _: { site in
            let answer = try await site.client.send(["GET /path HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"]
            )
            #expect((answer.status == 200) == isAdmitted, "\(answer.head)")
            if !isAdmitted { #expect([400, 421].contains(answer.status)) }
            // A target with a name of its own does not get around it.
            let whole = try await site.client.send([
                "GET http://evil.example/path HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            ])
            #expect(whole.status == 421)
        }
    }

    @Test func hostsAreNamedOnce() async throws {
        try await with { site in
            let two = try await site.client.send([
                "GET /path HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            ])
            #expect(two.status == 400 || two.status == 421)
            let none = try await site.client.send(["GET /path HTTP/1.1\r\nConnection: close\r\n\r\n"])
            #expect(none.status == 400)
            let old = try await site.client.send(["GET /path HTTP/1.0\r\n\r\n"])
            #expect(old.status == 400)
        }
    }

    @Test func headsAndBodiesHaveLimits() async throws {
        try await with { site in
            let client = site.client
            #expect(try await client.get("/path/" + String(repeating: "a", count: 5000)).status == 414)
            #expect(
                try await client.get("/path", fields: ["X: " + String(repeating: "a", count: 20_000)]).status == 431)
            let endless = try await client.send(
                ["GET /path HTTP/1.1\r\nHost: localhost\r\n"]
                    + (0..<400).map { "X-\($0): " + String(repeating: "a", count: 1000) + "\r\n" })
            #expect(endless.status != 200)
            #expect(String(decoding: endless.bytes, as: UTF8.self) != "TIMEOUT")
            #expect(try await client.get("/path", method: "BREW").status == 501)
            func post(_ head: String, _ body: String) async throws -> Answer {
                try await client.send([
                    "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(head)\r\n\r\n", body,
                ])
            }
            let good = String(repeating: "b", count: 60_000)
            #expect(try await post("Content-Length: 60000", good).text == good)
            #expect(try await post("Transfer-Encoding: chunked", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").text == "abcde")
            #expect(try await post("Content-Length: 70000", "").status == 413)
            #expect(try await post("Content-Length: 99999999999", String(repeating: "b", count: 500_000)).status == 413)
            let chunk = "2000\r\n" + String(repeating: "c", count: 0x2000) + "\r\n"
            #expect(try await post("Transfer-Encoding: chunked", String(repeating: chunk, count: 12)).status == 413)
            let negative = try await post("Content-Length: -5", "")
            #expect(negative.status != 200)
            // It is still there.
            #expect(try await client.get("/path").status == 200)
        }
    }

    @Test func theSlowAreHungUpOn() async throws {
        try await with {
            $0.limits.headTime = .milliseconds(600)
            $0.limits.bodyTime = .milliseconds(600)
        } _: { site in
            let client = site.client
            for parts in [
                ["G"], ["GET /path HTTP/1.1\r\nHost: lo"],
                ["POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"],
            ] {
                let begin = ContinuousClock.now
                _ = try await client.send(parts, patience: 20)
                let took = ContinuousClock.now - begin
                #expect(took > .milliseconds(300) && took < .seconds(10), "\(parts) \(took)")
            }
            // Drip by drip is slow, too.
            let begin = ContinuousClock.now
            _ = try await client.send(
                ["GET /path HTTP/1.1\r\n"] + (0..<100).map { "X-\($0): y\r\n" }, pause: .milliseconds(50), patience: 20)
            #expect(ContinuousClock.now - begin < .seconds(10))
        }
    }

    @Test func connectionsAreCountedAndComeBack() async throws {
        try await with {
            $0.limits.connections = 4
        } _: { site in
            let held = try (0..<4).map { _ in try site.client.connected() }
            try await Task.sleep(for: .milliseconds(300))
            let turnedAway = try await site.client.get("/path")
            #expect(turnedAway.status == 503 || turnedAway.bytes.isEmpty)
            for descriptor in held { close(descriptor) }
            try await Task.sleep(for: .milliseconds(500))
            #expect(try await site.client.get("/path").status == 200)
        }
    }

    @Test func aConnectionServesOneRequest() async throws {
        try await with { site in
            let request = "GET /path HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let answer = try await site.client.send([request, request], pause: .milliseconds(100))
            #expect(answer["Connection"] == "close")
            #expect(answer.text == "path\n")
        }
    }

    @Test func eventsArriveAndTheirEndDoes() async throws {
        try await with { site in
            let events = site.events
            async let answer = site.client.get("/events")
            try await Task.sleep(for: .milliseconds(300))
            events.send("one", data: "a\nb")
            try await Task.sleep(for: .milliseconds(100))
            events.send("two\nevent: evil", data: "c")
            events.end()
            let got = try await answer
            #expect(got["Content-Type"] == "text/event-stream")
            #expect(got.text.contains("event: one\ndata: a\ndata: b\n\n"))
            #expect(got.text.contains("event: two event: evil\ndata: c\n\n"))
            #expect(!events.send("late", data: ""))
        }
    }

    @Test func eventsHaveIDsOfOneLine() {
        let event = EventStream.encoded("one", id: "7\ndata: evil", data: "a")
        #expect(String(decoding: event, as: UTF8.self) == "id: 7 data: evil\nevent: one\ndata: a\n\n")
    }

    /// Whatever is wrong, a program can read why.
    @Test func refusalsAreJSON() async throws {
        try await with { site in
            let long = "/path/" + String(repeating: "a", count: 5000)
            for (answer, words) in [
                (try await site.client.get(long), #"{"error":"the address is too long"}"#),
                (
                    try await site.client.send([
                        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n"
                    ]),
                    #"{"error":"the body is too long"}"#
                ),
                (
                    try await site.client.send(["BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n"]),
                    #"{"error":"there is no such method here"}"#
                ),
            ] {
                #expect(answer["Content-Type"] == "application/json")
                #expect(answer.text == words + "\n")
            }
        }
    }

    @Test func aSlowReaderOfEventsIsDropped() async throws {
        try await with { site in
            let events = site.events
            let descriptor = try site.client.connected()
            RawClient.write(descriptor, Array("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            try await Task.sleep(for: .milliseconds(300))
            let large = String(repeating: "x", count: 100_000)
            var sent = 0
            while sent < 1000, events.send("large", data: large) {
                sent += 1
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(sent < 1000)
            close(descriptor)
            #expect(try await site.client.get("/path").status == 200)
        }
    }

    @Test func aReaderWhoLeavesInTheMiddleLeavesNothingBehind() async throws {
        try await with {
            $0.limits.connections = 8
        } _: { site in
            for _ in 0..<30 {
                let descriptor = try site.client.connected()
                RawClient.write(descriptor, Array("GET /files/call.webm HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                _ = await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(returning: RawClient.read(descriptor, patience: 5, limit: 100))
                    }
                }
                close(descriptor)
                try await Task.sleep(for: .milliseconds(20))
            }
            try await Task.sleep(for: .milliseconds(200))
            #expect(try await site.client.get("/files/call.webm").body.count == TestSite.length)
        }
    }

    @Test func tlsIsSpokenWhereThereIsACertificate() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "callbot-tls-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        @Sendable func shell(_ command: String) -> Int32 { system("( \(command) ) >\(folder)/out 2>/dev/null") }
        try #require(
            shell(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1"
                    + " -addext subjectAltName=IP:127.0.0.1 -keyout \(folder)/key.pem -out \(folder)/cert.pem") == 0)
        try await with {
            $0.certificateFile = "\(folder)/cert.pem"
            $0.keyFile = "\(folder)/key.pem"
        } _: { site in
            let port = site.client.port
            let status = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        returning: shell(
                            "printf 'GET /path HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' | timeout 10 openssl s_client"
                                + " -quiet -verify_return_error -CAfile \(folder)/cert.pem -connect 127.0.0.1:\(port)"))
                }
            }
            _ = status
            let output = try String(contentsOfFile: "\(folder)/out", encoding: .utf8)
            #expect(output.hasPrefix("HTTP/1.1 200 OK"))
        }
        await #expect(throws: WebServerError.self) {
            try await TestSite { $0.certificateFile = "\(folder)/none.pem" }
        }
    }

    @Test func whatCannotBeListenedAtIsSaid() async throws {
        try await with { site in
            await #expect(throws: WebServerError.self) { try await TestSite { $0.port = site.client.port } }
            await #expect(throws: WebServerError.malformedAddress("nowhere")) {
                try await TestSite { $0.address = "nowhere" }
            }
        }
    }
}
