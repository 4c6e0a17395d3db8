import JSON
import Processes
import Supervision

/// What is kept of a job until it is done, so that a daemon that comes after this one goes on with it.
struct JobRecord {
    let job: Job
    /// By which its files are named.
    let number: Int
    var attempts = 0
    /// The process that does it; nil while there is none.
    var process: ProcessIdentity?
    /// Which start of the machine that was.
    var boot = ""

    init(_ job: Job, number: Int) {
        self.job = job
        self.number = number
    }

    var json: JSONValue {
        var json = job.json
        json["number"] = JSONValue(number)
        json["attempts"] = JSONValue(attempts)
        if let process {
            json["process"] = JSONValue(Int(process.number))
            json["processStart"] = JSONValue(Int(clamping: process.start))
            json["boot"] = .string(boot)
        }
        return json
    }

    init?(_ json: JSONValue) {
        guard let job = Job(json), let number = json["number"]?.int else { return nil }
        self.init(job, number: number)
        attempts = json["attempts"]?.int ?? 0
        boot = json["boot"]?.string ?? ""
        if let number = json["process"]?.int.flatMap({ Int32(exactly: $0) }),
            let start = json["processStart"]?.int.flatMap({ UInt64(exactly: $0) })
        {
            process = ProcessIdentity(number: number, start: start)
        }
    }
}
