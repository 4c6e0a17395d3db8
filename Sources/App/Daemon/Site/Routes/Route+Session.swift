import JSON
import WebServer

extension Route {
    /// How a browser gets in and out.
    static let session: [Route] = [
        Route(
            .post, "/api/session", for: .anybody, "Lets a browser in that knows the token, by a cookie.",
            body: .members(["token": ["type": "string"]], required: ["token"]),
            answer: .nothing("The cookie is set."), errors: [401]
        ) { site, call in
            guard let token = try call.body().text("token"), site.access.isToken(token) else {
                // Who tries them all has little joy of it.
                try? await Task.sleep(for: .milliseconds(500))
                throw SiteError(401, "this is not the daemon's token")
            }
            var response = Response.done
            response.headers["Set-Cookie"] = site.access.admission
            return response
        },
        Route(
            .delete, "/api/session", for: .anybody, "Lets the browser out again.",
            answer: .nothing("The cookie is gone.")
        ) { site, _ in
            var response = Response.done
            response.headers["Set-Cookie"] = site.access.dismissal
            return response
        },
    ]
}
