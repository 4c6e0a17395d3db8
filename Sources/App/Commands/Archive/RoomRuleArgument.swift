import Retention

/// `--keep-room`: `standup=30d`, `standup=20` (recordings), `standup=50G`.
struct RoomRuleArgument: ArgumentValue {
    let room: String
    let rules: RetentionRules.RoomRules

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> RoomRuleArgument {
        // An address may have an equals sign, too; a rule has none.
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else {
            throw InvalidValue("must be ROOM=RULE, such as standup=30d, standup=20 or standup=50G")
        }
        let rule = String(text[text.index(after: sign)...])
        var rules = RetentionRules.RoomRules()
        if let count = Int(rule), (0...1_000_000).contains(count) {
            rules.count = count
        } else if "kKMGT".contains(rule.last ?? "?"), let size = try? ByteSize.parse(rule, in: environment) {
            rules.bytes = size.bytes
        } else if let age = try? Age.parse(rule, in: environment) {
            rules.age = age.span
        } else {
            throw InvalidValue("must end in an age (30d), a number of recordings (20) or a size (50G)")
        }
        return RoomRuleArgument(room: String(text[..<sign]), rules: rules)
    }

    /// Several rules may hold for a room.
    func add(to all: inout RetentionRules) {
        var sum = all.rooms[room] ?? RetentionRules.RoomRules()
        sum.age = rules.age ?? sum.age
        sum.count = rules.count ?? sum.count
        sum.bytes = rules.bytes ?? sum.bytes
        all.rooms[room] = sum
    }
}
