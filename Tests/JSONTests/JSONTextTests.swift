import JSON
import Testing

@Suite struct JSONTextTests {
    private static let elements: [JSONValue] = [1, ["a": [2, [:]], "b": []], "c\n", [], [[3]]]

    /// Puts a text together as a file would.
    private static func join(_ pieces: [JSONText<[UInt8]>.Piece]) -> String {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .bytes(let more): bytes += more
            case .kept(let element, let isFirst): bytes += element.dropFirst(isFirst ? 1 : 0)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whichever elements were written before, it is the text of the whole value.
    @Test(arguments: 0..<32) func itIsTheTextOfTheWhole(kept: Int) {
        let whole: JSONValue = [
            "version": 1, "room": ["address": "x"], "none": [], "list": .array(Self.elements), "last": nil,
        ]
        var text = JSONText<[UInt8]>()
        text.add(["version": 1, "room": ["address": "x"]])
        text.addList("none") { _ in }
        text.addList("list") { list in
            for (index, element) in Self.elements.enumerated() {
                if kept >> index & 1 == 1 { list.append(kept: element.listElement) } else { list.append(element) }
            }
        }
        text.add(["last": nil])
        #expect(Self.join(text.finish()) == whole.pretty)
    }
}
