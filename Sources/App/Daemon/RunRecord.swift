import JSON
package import MediaTypes
package import Processes
package import Supervision

/// What is kept of a run while it is under way, so that a daemon that comes after this one finds it again.
package struct RunRecord: Hashable, Sendable {
    package var order: RunOrder
    /// What is given to `callbot record`: a room's address or a recipe's path, and options.
    package var arguments: [String]
    /// When it was ordered.
    package var ordered: WallTime
    /// The recorder's process; nil before there was one.
    package var process: ProcessIdentity?
    /// Which start of the machine that was, since processes are counted anew with each.
    package var boot: String

    package init(order: RunOrder, arguments: [String], ordered: WallTime, boot: String) {
        self.order = order
        self.arguments = arguments
        self.ordered = ordered
        self.boot = boot
    }

    /// The option with which a recorder leaves the composite for later.
    static let deferral = "--defer-composite"

    static func wantsComposite(_ arguments: [String]) -> Bool {
        !arguments.contains("--no-composite") && !arguments.contains(deferral)
    }

    /// Whether the recorder draws a composite, as far as its arguments say.
    var wantsComposite: Bool { Self.wantsComposite(arguments) }

    var json: JSONValue {
        var json: JSONValue = [
            "id": .string(order.id.value), "arguments": .array(arguments.map { .string($0) }),
            "ordered": .integer(ordered.microseconds), "boot": .string(boot),
        ]
        if let until = order.until { json["until"] = .integer(until.microseconds) }
        if let process {
            json["process"] = JSONValue(Int(process.number))
            json["processStart"] = JSONValue(Int(clamping: process.start))
        }
        return json
    }

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, let arguments = json["arguments"]?.array,
            let ordered = json["ordered"]?.int, let boot = json["boot"]?.string
        else { return nil }
        self.init(
            order: RunOrder(id: RunID(id), until: json["until"]?.int.map { WallTime(microseconds: Int64($0)) }),
            arguments: arguments.compactMap(\.string), ordered: WallTime(microseconds: Int64(ordered)), boot: boot)
        if let number = json["process"]?.int.flatMap({ Int32(exactly: $0) }),
            let start = json["processStart"]?.int.flatMap({ UInt64(exactly: $0) })
        {
            process = ProcessIdentity(number: number, start: start)
        }
    }
}
