import JSON
import Testing

@Suite struct JSONNodeTests {
    let text = "{\n  // where\n  room: 1234,\n  video: { bitrat: 800,\n    size: [1280, 720] },\n}"

    @Test func everyValueKnowsWhereItStood() throws {
        let node = try JSONNode(parsing: text)
        #expect(node.position == JSONPosition(line: 1, column: 1))
        #expect(node["room"]?.position == JSONPosition(line: 3, column: 9))
        #expect(node["video"]?["size"]?[1]?.position == JSONPosition(line: 5, column: 18))
        #expect(node["video"]?.members?.map(\.keyPosition) == [.init(line: 4, column: 12), .init(line: 5, column: 5)])
        #expect(node["video"]?["size"]?.array?.compactMap(\.int) == [1280, 720])
        #expect(node["none"] == nil && node[0] == nil && node["room"]?["x"] == nil)
    }

    @Test func unknownKeyIsNamedWithItsLineAndTheLikelyOne() throws {
        let video = try #require(try JSONNode(parsing: text)["video"])
        let error = #expect(throws: JSONError.self) { try video.requireKeys(among: ["bitrate", "size"]) }
        #expect(error?.description == "line 4, column 12: unknown key 'bitrat' (did you mean 'bitrate'?)")
        try video.requireKeys(among: ["bitrat", "size"])
        let noObject = #expect(throws: JSONError.self) { try video["size"]?.requireKeys(among: []) }
        #expect(noObject?.description == "line 5, column 11: expected an object, found an array")
    }

    @Test(arguments: [
        ("bitrat", "bitrate"), ("Bitrate", "bitrate"), ("biterate", "bitrate"), ("fpss", "fps"), ("pfs", "fps"),
        ("layot", "layout"),
        ("quality", nil), ("x", nil), ("", nil),
    ])
    func suggestionsAreNear(word: String, suggestion: String?) {
        #expect(Spelling.suggestion(for: word, among: ["bitrate", "fps", "layout"]) == suggestion)
    }
}
