import JSON

extension JSONValue {
    /// Schemas that many routes use.
    static let text: JSONValue = ["type": "string"]

    static func oneOf<Choice: RawRepresentable & CaseIterable>(_ type: Choice.Type) -> JSONValue
    where Choice.RawValue == String {
        ["type": "string", "enum": .array(Choice.allCases.map { .string($0.rawValue) })]
    }

    /// Seconds, or a text such as `1h30m`.
    static func span(_ words: String) -> JSONValue {
        [
            "type": ["number", "string"], "examples": [2700, "45m"],
            "description": .string("Seconds, or a text such as 1h30m. " + words),
        ]
    }

    /// A schema of its own, by its name.
    static func component(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// An object that has these members, and no others.
    static func members(_ members: JSONObject, required: [String] = []) -> JSONValue {
        var schema: JSONValue = ["type": "object", "properties": .object(members)]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
        schema["additionalProperties"] = false
        return schema
    }
}

/// What a schedule is made of, as somebody adds one.
enum ScheduleSchema {
    static let members: JSONObject = [
        "id": described(.text, "What it is called: letters, digits, - and _; from the recipe's name without it."),
        "name": described(.text, "A title for people."),
        "cron": described(.text, "Five fields, or @daily and the like: when it is due, again and again."),
        "once": described(.text, "When it is due once: 2026-12-01 09:00, or 2026-12-01T09:00:00Z."),
        "zone": described(.text, "The time zone that the times are of; the machine's without it."),
        "recipe": described(.text, "The address of a room, or the path of a recipe on the daemon's machine."),
        "duration": .span("How long a call is planned to be."),
        "earlyJoin": .span("So long before it is due the room is joined."),
        "lateStop": .span("So long after its planned end the room is left."),
        "missedRuns": described(
            ["type": ["string", "object"]],
            "What becomes of a call that was missed: skip, remainder, or {\"late\": \"15m\"}."),
        "overlap": described(
            ["type": "string", "enum": ["skip", "both", "stopEarlier"]],
            "What happens when a call is due while an earlier one goes on."),
        "paused": described(["type": "boolean"], "Whether it is left out for a while."),
        "until": described(["type": "string", "format": "date-time"], "Nothing later than this."),
        "count": described(["type": "integer", "minimum": 1], "So many recordings at most."),
    ]

    private static func described(_ schema: JSONValue, _ words: String) -> JSONValue {
        var schema = schema
        schema["description"] = .string(words)
        return schema
    }
}

/// The schemas of what is answered, by their names.
enum OpenAPISchemas {
    /// Times on a recording's timeline and lengths are in microseconds; moments are in UTC.
    static let all: JSONObject = [
        "Error": object(["error": .text], required: ["error"], "Why it was not done, in a sentence."),
        "Recording": recording,
        "RecordingWithReport": [
            "allOf": [
                .component("Recording"),
                object(
                    ["report": ["type": ["object", "null"]]], required: ["report"],
                    "report.json; null where there is none."),
            ]
        ],
        "RecordingList": list("recordings", "Recording"),
        "Line": object(
            [
                "recording": .text, "folder": .text, "at": microseconds, "kind": .text, "person": .text,
                "excerpt": .text, "room": .text, "origin": moment, "page": .text,
            ], required: ["recording", "folder", "at", "kind", "excerpt", "room", "page"],
            "A line that a search has found; 'page' leads to its moment."),
        "LineList": list("lines", "Line"),
        "Run": run,
        "RunList": list("runs", "Run", isPaged: false),
        "Started": object(["run": .text], required: ["run"], "Which run it is."),
        "Schedule": schedule,
        "ScheduleList": object(
            [
                "schedules": ["type": "array", "items": .component("Schedule")],
                "faults": [
                    "type": "array", "items": object(["file": .text, "reason": .text], required: ["file", "reason"]),
                ],
            ], required: ["schedules", "faults"]),
        "HistoryEntry": object(
            [
                "schedule": .text, "due": moment, "at": moment,
                "outcome": ["type": "string", "enum": ["ran", "failed", "missed", "skipped", "refused"]], "text": .text,
                "what": ["type": "string", "enum": ["render", "pictures", "removed"]], "folder": .text,
            ], required: ["at", "text"],
            "What became of a time at which a schedule was due; or, with 'what' and 'folder', of a recording afterwards."
        ),
        "History": list("history", "HistoryEntry", isPaged: false),
        "Delivery": object(
            [
                "at": moment, "delivery": ["type": "integer"], "address": .text, "subject": .text, "outcome": .text,
                "attempts": ["type": "integer"],
            ], required: ["at", "delivery", "address", "subject", "outcome"]),
        "Deliveries": object(
            [
                "addresses": ["type": "array", "items": .text],
                "deliveries": ["type": "array", "items": .component("Delivery")],
            ], required: ["addresses", "deliveries"]),
        "Link": object(["url": .text, "until": moment], required: ["url", "until"]),
        "Status": object(
            [
                "runs": ["type": "array", "items": .component("Run")],
                "schedules": [
                    "type": "array",
                    "items": object(
                        ["schedule": .text, "paused": ["type": "boolean"], "next": moment],
                        required: ["schedule", "paused"]),
                ],
                "load": ["type": "number", "description": "Processors that all recorders take."],
                "jobs": ["type": "array", "items": .component("Job")],
            ], required: ["runs", "schedules", "load", "jobs"]),
        "Job": object(
            [
                "kind": ["type": "string", "enum": ["render", "pictures"]], "folder": .text,
                "state": ["type": "string", "enum": ["waiting", "running", "suspended"]],
                "attempts": ["type": "integer"], "progress": ["type": "number", "minimum": 0, "maximum": 1],
            ], required: ["kind", "folder", "state", "attempts"],
            "What is done with a recording after its end, when the machine has room for it."),
    ]

    private static let microseconds: JSONValue = ["type": "integer", "description": "Microseconds."]
    private static let moment: JSONValue = ["type": "string", "format": "date-time"]

    private static let recording = object(
        [
            "id": .text, "folder": .text,
            "state": ["type": "string", "enum": ["recording", "finished", "interrupted", "damaged"]],
            "room": object(["address": .text, "description": .text], required: ["address", "description"]),
            "origin": moment, "duration": microseconds,
            "verdict": object(
                ["grade": ["type": "string", "enum": ["good", "degraded", "failed"]], "reasons": texts],
                required: ["grade", "reasons"]),
            "problem": .text, "bytes": ["type": "integer"], "participants": ["type": "integer"], "people": texts,
            "held": ["type": "boolean"], "source": .text, "page": .text, "poster": ["type": ["string", "null"]],
        ], required: ["id", "folder", "state", "room", "bytes", "participants", "people", "held", "page", "poster"],
        "'people' are the names of some who were there, 'page' and 'poster' addresses within this site.")

    private static let run = object(
        [
            "run": .text, "name": .text, "schedule": .text, "room": .text,
            "state": ["type": "string", "enum": ["starting", "joining", "recording", "waiting", "ending"]],
            "ordered": moment, "until": moment, "recording": .text, "page": .text, "elapsed": microseconds,
            "people": ["type": "integer"], "tracks": ["type": "integer"], "loss": ["type": "number"],
            "incomingBitRate": ["type": "integer"], "outgoingBitRate": ["type": "integer"],
            "compositeLag": microseconds, "compositeLevel": .text, "offset": microseconds,
            "load": ["type": "number"],
        ], required: ["run", "name", "state", "ordered"],
        "What is being recorded; 'recording' and what follows from when there is one.")

    private static let schedule: JSONValue = {
        var members = ScheduleSchema.members
        members["calendar"] = .text
        members["when"] = [
            "type": "array", "items": .text, "description": "Several times, each as in cron or once.",
        ]
        members["file"] = ["type": "string", "description": "The recipe that says so itself."]
        members["next"] = ["type": "array", "items": moment]
        return object(members, required: ["id", "zone", "recipe", "paused", "next"])
    }()

    private static let texts: JSONValue = ["type": "array", "items": .text]

    private static func object(_ members: JSONObject, required: [String], _ words: String? = nil) -> JSONValue {
        var schema: JSONValue = [
            "type": "object", "properties": .object(members), "required": .array(required.map { .string($0) }),
        ]
        schema["description"] = words.map { .string($0) }
        return schema
    }

    private static func list(_ key: String, _ item: String, isPaged: Bool = true) -> JSONValue {
        var members = JSONObject()
        members[key] = ["type": "array", "items": .component(item)]
        if isPaged {
            members["next"] = [
                "type": "string", "description": "What 'after' takes to go on; not after the last part.",
            ]
        }
        return object(members, required: [key])
    }
}
