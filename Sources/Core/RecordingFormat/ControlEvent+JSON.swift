import JSON

extension ControlEvent {
    /// Adds the event's name and its facts to a line.
    func write(into fields: inout JSONFields) {
        switch self {
        case .layout(let layout):
            fields.set("event", "layout-chosen")
            fields["layout"] = layout
        case .full(let who):
            fields.set("event", "full-chosen")
            fields.set("who", who)
        case .pinned(let who):
            fields.set("event", "pinned-chosen")
            fields.set("who", who)
        case .mark(let text):
            fields.set("event", "mark")
            fields.set("text", text)
        }
    }

    /// Nil for a name that is not of these.
    init?(_ json: JSONValue, named name: String) throws(RecordingFormatError) {
        switch name {
        case "layout-chosen":
            guard let layout = json["layout"] else { throw .missing("layout") }
            self = .layout(layout)
        case "full-chosen": self = .full(json["who"]?.string)
        case "pinned-chosen": self = .pinned(json["who"]?.string)
        case "mark": self = .mark(try json.text("text"))
        default: return nil
        }
    }
}
