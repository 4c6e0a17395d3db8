// Strict JSON, as servers send it; what we write of it is read as the same.
import JSON

func fuzz(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes) else { return }
    let written = value.compactUTF8
    guard let again = try? JSONValue(parsing: written) else { preconditionFailure("what we write is no JSON") }
    precondition(again.compactUTF8 == written, "written twice, it differs")
}
