import Playback

/// The files of the daemon's own pages.
enum SiteFiles {
    static let all = [
        PageFile("actions.js", PackageResources.actions_js),
        PageFile("api.js", PackageResources.api_js),
        PageFile("dialogs.js", PackageResources.dialogs_js),
        PageFile("jobs.js", PackageResources.jobs_js),
        PageFile("list.css", PackageResources.list_css),
        PageFile("list.html", PackageResources.list_html),
        PageFile("list.js", PackageResources.list_js),
        PageFile("recordings.js", PackageResources.recordings_js),
        PageFile("runs.js", PackageResources.runs_js),
        PageFile("schedules.js", PackageResources.schedules_js),
        PageFile("search.js", PackageResources.search_js),
        PageFile("sentence.html", PackageResources.sentence_html),
        PageFile("signin.html", PackageResources.signin_html),
        PageFile("signin.js", PackageResources.signin_js),
        PageFile("start.js", PackageResources.start_js),
    ]

    static func named(_ name: String) -> PageFile? { all.first { $0.name == name } }
}
