import WebServer

/// Finds what is asked for in the table of routes.
struct Router: Sendable {
    enum Found {
        case route(Route, [String: String])
        /// There is something of this path, and it can be asked for in these ways.
        case otherMethods([String])
        case nothing
    }

    let routes: [Route]

    /// All that there is.
    static let all = Router(
        routes: Route.state + Route.recordings + Route.runs + Route.schedules + Route.records + Route.session
            + Route.pages)

    func find(_ method: Request.Method, _ path: [String]) -> Found {
        // What can be read can also be asked about.
        let wanted = method == .head ? .get : method
        var methods: [String] = []
        for route in routes {
            guard let parameters = route.match(path) else { continue }
            if route.method == wanted { return .route(route, parameters) }
            methods += route.method == .get ? ["GET", "HEAD"] : [route.method.rawValue]
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }
}
