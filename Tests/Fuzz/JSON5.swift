// JSON5, as recipes are written, with the place of each value.
import JSON

func fuzz(_ bytes: [UInt8]) {
    guard let node = try? JSONNode(parsing: bytes) else { return }
    guard (try? JSONValue(parsing: node.value.compactUTF8)) != nil else {
        preconditionFailure("what we write is no JSON")
    }
    precondition(node.position.line >= 1 && node.position.column >= 1)
}
