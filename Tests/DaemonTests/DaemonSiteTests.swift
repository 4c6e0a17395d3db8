import CallbotTesting
import EventLoop
import Foundation
import JSON
import MediaTypes
import Playback
import Storage
import Supervision
import Testing
import WebServer

@testable import Daemon

/// The site with a daemon that says what the test says.
@Suite struct DaemonSiteTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func site(
        archive: String? = nil, pulse: MonotonicTime? = HostClock.now(), answer: DaemonAnswer = .done(["runs": []])
    ) -> DaemonSite {
        var settings = DaemonSettings(
            program: "/nowhere", archive: archive ?? temporary.path + "/archive",
            place: StatePlace(temporary.path + "/state"), processors: 1)
        settings.recipeFault = { $0.hasSuffix(".bad") ? "it is bad" : nil }
        let door = DaemonSite.Door(ask: { _ in answer }, pulse: { pulse })
        return DaemonSite(
            settings, token: Secret("t0ken"), links: LinkSigner(settings.place),
            live: LiveBroadcast { ["runs": [], "schedules": []] }, door: door)
    }

    private func request(
        _ method: Request.Method = .get, _ path: String, _ body: String? = nil, query: [QueryItem] = [],
        headers: Headers = ["Authorization": "Bearer t0ken"]
    ) -> Request {
        var headers = headers
        if body != nil { headers["Content-Type"] = "application/json" }
        return Request(
            method, path: path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init),
            query: query, headers: headers, body: Array((body ?? "").utf8))
    }

    private func json(_ response: Response) throws -> JSONValue {
        guard case .bytes(let bytes) = response.body else { return .null }
        return try JSONValue(parsing: bytes)
    }

    @Test func nobodyGetsInWithoutTheToken() async throws {
        let site = site()
        for route in Router.all.routes where route.access != .anybody {
            let path = route.path.replacing("{", with: "").replacing("}", with: "")
            for headers: Headers in [
                [:], ["Authorization": "Bearer t0keN"], ["Authorization": "Bearer t0ken "], ["Authorization": "t0ken"],
                ["Cookie": "callbot=t0ken"], ["Cookie": "callbot=; callbot=x"],
                ["Authorization": "Bearer x", "Cookie": site.access.admission.prefix { $0 != ";" }.description],
            ] {
                let response = await site.respond(to: request(route.method, path, headers: headers))
                #expect(response.status == 401, "\(route.method) \(path)")
            }
        }
        let cookie = String(site.access.admission.prefix { $0 != ";" })
        #expect(
            await site.respond(to: request(.get, "/api/status", headers: ["Cookie": "a=b; \(cookie)"])).status == 200)
        #expect(!cookie.contains("t0ken"))
    }

    @Test func anArchiveThatIsNotThereYetIsEmpty() async throws {
        let site = site()
        #expect(try json(await site.respond(to: request(.get, "/api/recordings"))) == ["recordings": []])
        let words = [QueryItem(name: "words", value: "x")]
        #expect(try json(await site.respond(to: request(.get, "/api/search", query: words))) == ["lines": []])
        let none = await site.respond(to: request(.delete, "/api/recordings/x"))
        #expect(none.status == 404)
        #expect(try json(none)["error"]?.string?.contains("no recording 'x'") == true)
    }

    @Test func itIsReadyWhenItCanRecord() async throws {
        let file = temporary.path + "/file"
        try AtomicFile.replace(file, with: [])
        #expect(await site().respond(to: request(.get, "/ready", headers: [:])).status == 200)
        for (site, word) in [
            (site(pulse: nil), "scheduler"), (site(pulse: MonotonicTime(nanoseconds: 0)), "scheduler"),
            (site(archive: file + "/archive"), "archive"),
        ] {
            let response = await site.respond(to: request(.get, "/ready", headers: [:]))
            #expect(response.status == 503)
            #expect(try json(response)["error"]?.string?.contains(word) == true)
            #expect(await site.respond(to: request(.get, "/health", headers: [:])).status == 200)
        }
    }

    @Test func whatTheDaemonRefusesIsAConflict() async throws {
        let site = site(answer: .refused("there is no room"))
        let response = await site.respond(to: request(.post, "/api/runs", #"{"recipe": "/a.json5"}"#))
        #expect(response.status == 409)
        #expect(try json(response) == ["error": "there is no room"])
        let fault = await site.respond(to: request(.post, "/api/runs", #"{"recipe": "/a.bad"}"#))
        #expect(fault.status == 400)
        #expect(try json(fault) == ["error": "it is bad"])
        #expect(await site.respond(to: request(.get, "/api/status")).status == 503)
    }

    @Test func markupInASentenceIsText() {
        #expect(SitePage.escaped("<a href='x'>&\"") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;")
    }

    @Test func everyFileIsBuiltIn() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/App/Daemon/Site/Page")
        #expect(
            SiteFiles.all.map(\.name) == (try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()))
    }

    /// Nothing that comes from a recording is ever markup, and nothing is taken from elsewhere.
    @Test func thePagesMakeNoMarkupOfText() {
        for file in SiteFiles.all {
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser",
                "<style", " style=", " onclick", "javascript:", "http://", "<script>",
            ] {
                #expect(!file.text.contains(word), "\(file.name) has \(word)")
            }
        }
    }

    @Test func everythingThatThePagesNameIsThere() async throws {
        let site = site()
        for file in SiteFiles.all {
            let parts = file.text.split { "\"'`() ".contains($0) }.map(String.init)
            for name in parts where name.hasPrefix("/page/") || name.hasPrefix("./") && name.hasSuffix(".js") {
                let last = String(name.split(separator: "/").last ?? "")
                let response = await site.respond(to: request(.get, "/page/\(last)", headers: [:]))
                #expect(response.status == 200, "\(file.name) names \(name)")
            }
        }
    }

    /// A browser takes the policy from an answer that says only that nothing has changed.
    @Test func aPageThatHasNotChangedKeepsItsPolicy() async throws {
        let site = site()
        let page = await site.respond(to: request(.get, "/"))
        var again = request(.get, "/")
        again.headers["If-None-Match"] = page.headers["ETag"]
        let unchanged = await site.respond(to: again)
        #expect(unchanged.status == 304)
        #expect(unchanged.headers["Content-Security-Policy"] == page.headers["Content-Security-Policy"])
    }

    @Test func namesOfRunsAreWithoutTheirTimes() {
        let time = WallTime(microseconds: 1_800_000_000_123_000)
        for name in ["a", "a-b", "2026", "x-20260101T000000Z-1"] {
            #expect(RunID(asked: name, at: time).name == name)
        }
        #expect(RunID("odd").name == "odd")
        #expect(RunID("-20260101T000000Z").name == "")
    }
}
