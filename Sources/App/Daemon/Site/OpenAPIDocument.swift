package import JSON
import WebServer

/// What the site answers, as OpenAPI 3.1 says such things: made from the table of routes.
package struct OpenAPIDocument {
    private let version: String

    package init(version: String) { self.version = version }

    package var json: JSONValue {
        var paths = JSONObject()
        for route in Router.all.routes {
            var item = paths[route.path] ?? [:]
            item[route.method.rawValue.lowercased()] = Self.operation(route)
            paths[route.path] = item
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "callbot", "version": .string(version),
                "description":
                    "What was recorded, what is being recorded, and what is to be. GET reads, POST on a list adds, DELETE removes, and POST on a verb below a thing does it. Every error is {\"error\": SENTENCE}.",
            ],
            "servers": [["url": "/"]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer", "description": "The daemon's token."],
                    "cookie": [
                        "type": "apiKey", "in": "cookie", "name": .string(SiteAccess.cookie),
                        "description": "What a browser has that has said the token once.",
                    ],
                    "link": [
                        "type": "apiKey", "in": "cookie", "name": .string(LinkSigner.cookie),
                        "description": "What a browser has that came by a link to one recording.",
                    ],
                ],
                "schemas": .object(OpenAPISchemas.all),
            ],
        ]
    }

    private static func operation(_ route: Route) -> JSONValue {
        var operation: JSONValue = [
            "operationId": .string(name(of: route)), "summary": .string(route.summary),
            "tags": [.string(tag(of: route))],
        ]
        let inPath = route.parameters.map { name -> JSONValue in
            ["name": .string(name), "in": "path", "required": true, "schema": .text]
        }
        let inQuery = route.query.map { parameter -> JSONValue in
            [
                "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary),
                "schema": parameter.schema,
            ]
        }
        if !(inPath + inQuery).isEmpty { operation["parameters"] = .array(inPath + inQuery) }
        if let body = route.body {
            operation["requestBody"] = [
                "required": .bool(body["required"] != nil), "content": ["application/json": ["schema": body]],
            ]
        }
        operation["responses"] = responses(of: route)
        operation["security"] =
            switch route.access {
            case .anybody: []
            case .token: [["token": []], ["cookie": []]]
            case .link: [["token": []], ["cookie": []], ["link": []]]
            }
        return operation
    }

    private static func responses(of route: Route) -> JSONValue {
        var answer: JSONValue = ["description": .string(route.answer.summary)]
        if let type = route.answer.type {
            var content = JSONObject()
            content[type] = route.answer.schema.map { ["schema": $0] } ?? [:]
            answer["content"] = .object(content)
        }
        var responses = JSONObject()
        responses["\(route.answer.status)"] = answer
        for status in errors(of: route).sorted() {
            responses["\(status)"] = [
                "description": .string(words[status] ?? "An error."),
                "content": ["application/json": ["schema": .component("Error")]],
            ]
        }
        return .object(responses)
    }

    private static func errors(of route: Route) -> Set<Int> {
        var errors = Set(route.errors)
        if route.access != .anybody { errors.insert(401) }
        if route.access == .link { errors.insert(403) }
        if !route.query.isEmpty || route.body != nil { errors.insert(400) }
        if route.body != nil { errors.formUnion([413, 415]) }
        if !route.parameters.isEmpty { errors.insert(404) }
        if route.access == .token { errors.insert(503) }
        return errors
    }

    private static let words = [
        400: "The request is at fault; the sentence says how.", 401: "The token is missing, or is another one.",
        403: "The link is not good, or not any more.", 404: "There is no such thing.",
        409: "It cannot be done as things are now.", 413: "The body is too long.", 415: "The body is not JSON.",
        503: "Something that is needed is not there.",
    ]

    /// `getApiRecordingsRecording`
    private static func name(of route: Route) -> String {
        let words = route.path.split { "/{}.".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return route.method.rawValue.lowercased() + (words.isEmpty ? "Root" : words.joined())
    }

    /// What it is about.
    private static func tag(of route: Route) -> String {
        let parts = route.path.split(separator: "/").map(String.init)
        guard parts.first == "api" else {
            return ["health", "ready", "metrics"].contains(parts.first) ? "daemon" : "pages"
        }
        let name = parts.dropFirst().first ?? ""
        return ["recordings", "runs", "schedules", "session"].contains(name) ? name : "daemon"
    }
}
