import JSON
import Testing
import WebServer

@testable import Daemon

@Suite struct RouterTests {
    @Test func whatIsInTheTableIsFound() {
        for route in Router.all.routes {
            let path = route.segments.map { segment in
                switch segment {
                case .literal(let text): text
                case .parameter, .rest: "x"
                }
            }
            guard case .route(let found, let parameters) = Router.all.find(route.method, path) else {
                Issue.record("\(route.method) \(route.path) is not found")
                continue
            }
            #expect(found.path == route.path && found.method == route.method, "\(route.path) is \(found.path)")
            #expect(Set(parameters.keys) == Set(route.parameters))
        }
    }

    @Test func otherPathsAndMethodsAreNot() {
        func find(_ method: Request.Method, _ path: [String]) -> String {
            switch Router.all.find(method, path) {
            case .route(let route, let parameters): "\(route.path) \(parameters["path"] ?? "")"
            case .otherMethods(let methods): methods.joined(separator: ",")
            case .nothing: "nothing"
            }
        }
        #expect(find(.get, [""]) == "/ ")
        #expect(find(.head, ["api", "runs"]) == "/api/runs ")
        #expect(find(.put, ["api", "runs"]) == "GET,HEAD,POST")
        #expect(find(.get, ["api", "runs", "x", "stop"]) == "POST")
        for path in [
            ["api"], ["api", ""], ["api", "runs", ""], ["api", "none"], ["x"], ["", ""], ["r"], ["page"],
            ["page", "a", "b"],
        ] {
            #expect(find(.get, path) == "nothing", "\(path)")
        }
        #expect(find(.get, ["r", "x"]) == "/r/{recording} ")
        #expect(find(.get, ["r", "x", ""]) == "/r/{recording}/{path} ")
        #expect(find(.get, ["r", "x", "files", "tracks", "a.webm"]) == "/r/{recording}/{path} files/tracks/a.webm")
    }

    /// One table is what is answered by and what is said, so neither has what the other has not.
    @Test func theDocumentHasEveryRoute() throws {
        let document = OpenAPIDocument(version: "1").json
        let paths = try #require(document["paths"]?.object)
        var said: Set<String> = []
        for member in paths.members {
            for method in member.value.object?.keys ?? [] { said.insert("\(method.uppercased()) \(member.key)") }
        }
        let known = Router.all.routes.map { "\($0.method.rawValue) \($0.path)" }
        #expect(said == Set(known))
        #expect(known.count == Set(known).count)
    }

    /// Each schema that is named is there.
    @Test func theDocumentIsWhole() throws {
        let document = OpenAPIDocument(version: "1").json
        let schemas = try #require(document["components"]?["schemas"]?.object)
        func check(_ value: JSONValue) {
            if let name = value["$ref"]?.string?.split(separator: "/").last.map(String.init) {
                #expect(schemas[name] != nil, "\(name)")
            }
            for part in value.array ?? value.object?.members.map(\.value) ?? [] { check(part) }
        }
        check(document)
        for route in Router.all.routes {
            for parameter in route.query { #expect(!parameter.summary.isEmpty) }
            #expect(route.summary.hasSuffix("."), "\(route.path)")
            #expect(route.answer.status / 100 == 2 || route.answer.status == 308)
        }
    }
}
