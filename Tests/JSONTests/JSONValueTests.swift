import JSON
import Testing

@Suite struct JSONValueTests {
    @Test func accessorsAnswerForTheirOwnKindOnly() throws {
        let value = try JSONValue(
            parsing: #"{"b":true,"i":-3,"u":18446744073709551615,"f":2.0,"h":2.5,"s":"x","a":[1],"n":null}"#)
        #expect(value["b"]?.bool == true && value["b"]?.int == nil)
        #expect(value["i"]?.integer == -3 && value["i"]?.unsigned == nil && value["i"]?.double == -3)
        #expect(value["u"]?.unsigned == .max && value["u"]?.integer == nil)
        #expect(value["f"]?.int == 2 && value["h"]?.int == nil && value["h"]?.double == 2.5)
        #expect(value["s"]?.string == "x" && value["s"]?.array == nil && value["s"]?["x"] == nil)
        #expect(value["a"]?[0]?.int == 1 && value["a"]?[1] == nil && value["a"]?[-1] == nil)
        #expect(value["n"]?.isNull == true && value["missing"] == nil && value[0] == nil)
        #expect(JSONValue.number(1e300).integer == nil && JSONValue.number(-1).unsigned == nil)
    }

    @Test func settingKeepsTheOrderOfKeys() {
        var value: JSONValue = ["a": 1, "b": 2]
        value["a"] = 3
        value["c"] = [nil]
        value["b"] = nil
        #expect(value.compact == #"{"a":3,"c":[null]}"#)
        #expect(value.object?.keys == ["a", "c"])
    }

    @Test func compactAndPrettyTextIsExact() {
        let value: JSONValue = [
            "url": "ws://h/ä\u{2028}😀", "c": "\u{0}\u{1f}\u{7f}\"\\\n\r\t\u{8}",
            "n": [1, -2.5, 1e21, .number(.infinity), .unsigned(.max)],
            "e": [[:], []], "o": ["x": nil],
        ]
        #expect(
            value.compact
                == #"{"url":"ws://h/ä"# + "\u{2028}" + #"😀","c":"\u0000\u001f"# + "\u{7f}"
                + #"\"\\\n\r\t\u0008","n":[1,-2.5,1e+21,null,18446744073709551615],"e":[{},[]],"o":{"x":null}}"#)
        let small: JSONValue = ["e": [[:], []], "o": ["x": true]]
        #expect(small.pretty == "{\n  \"e\": [\n    {},\n    []\n  ],\n  \"o\": {\n    \"x\": true\n  }\n}\n")
        #expect("\(JSONValue(UInt64.max)) \(JSONValue(5))" == "18446744073709551615 5")
    }
}
