import JSON
import Testing

@Suite struct JSONParsingTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), (" false\n", false), ("0", 0), ("-0", 0), ("-12", -12),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .unsigned(9_223_372_036_854_775_808)), ("18446744073709551615", .unsigned(.max)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)), ("1.0", .number(1)), ("1e3", .number(1000)),
            ("-2.5E-1", .number(-0.25)), ("\"\"", ""), ("\"a/\\/\\\"\\\\\\b\\f\\n\\r\\t\"", "a//\"\\\u{8}\u{c}\n\r\t"),
            ("\"\\u00e9\\ud83d\\ude00é😀\\u0000\"", "é😀é😀\u{0}"), ("[]", []), ("[ 1 , [ ] ]", [1, []]), ("{}", [:]),
            ("{\"b\":1,\"a\":{\"c\":null}}", ["b": 1, "a": ["c": nil]]), ("\u{feff}1", 1),
        ] as [(String, JSONValue)])
    func strictTextHasItsValue(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
        #expect(try JSONValue(parsing: text, as: .json5) == value)
        #expect(try JSONNode(parsing: text, as: .strict).value == value)
    }

    @Test(
        arguments: [
            ("// who\n{a: 'b', /* x\n*/ $c_1: [1,2,],}", ["a": "b", "$c_1": [1, 2]]), ("+5", 5), (".5", 0.5),
            ("5.", 5.0),
            ("-.5e1", -5.0), ("0x1F", 31), ("-0Xff", -255), ("0xFFFFFFFFFFFFFFFF", .unsigned(.max)),
            ("'it\\'s \"ok\"'", "it's \"ok\""),
            ("'two \\\nlines\\\r\n!'", "two lines!"), ("'\\x41\\v\\0\\q'", "A\u{b}\u{0}q"),
            ("{größe: 1}", ["größe": 1]),
            ("\u{a0}1\u{2028}", 1), ("'tab\tin'", "tab\tin"), ("1//", 1), ("{'a b':1}", ["a b": 1]),
        ] as [(String, JSONValue)])
    func json5TextHasItsValueAndIsNotStrict(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text, as: .json5) == value)
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "[,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "nul",
        "truee",
        "True", "01", "-", "-01", "1.", ".1", "1e", "1e+", "+1", "0x1", "1e999", "-1e999", "Infinity", "NaN", "'a'",
        "\"",
        "\"\\", "\"\\x41\"", "\"\\u12\"", "\"\\u123g\"", "\"\\ud800\"", "\"\\ud800x\"", "\"\\ud800\\u0041\"",
        "\"\\udc00\"", "\"a\nb\"", "\"a\u{1}\"", "1 2", "[1 2]", "{\"a\":1 \"b\":2}", "// c\n1", "/", "/* ", "]", "}",
        ":",
        "\u{a0}1", "\u{0}", "é", "[\u{feff}]",
    ])
    func malformedStrictTextIsAnError(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test(arguments: [
        "Infinity", "+Infinity", "-NaN", "{a:1,a:2}", "'\\1'", "'\\00'", "'\\xZ1'", "/* no end", "/", "0x",
        "-0x8000000000000001",
        "0x10000000000000000", "'a\nb'", "[,]", "{,}", "[1,,]", "{a}", "{a 1}", "{1a:1}", "hello", ".", "+", "'", "'\\",
        "'\\u", "'\\x",
    ])
    func malformedJSON5TextIsAnError(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text, as: .json5) }
        #expect(throws: JSONError.self) { try JSONNode(parsing: text, as: .json5) }
    }

    @Test(arguments: [
        [0xFF], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22], [0xEF, 0xBB],
    ])
    func bytesThatAreNotUTF8AreAnError(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes, as: .json5) }
    }

    @Test(arguments: [
        ("{\n  a: 1,\n  b 2\n}", 3, 5, "expected ':', found '2'"),
        ("{\r\n  a: 1,\r\n  é: ö\r\n}", 3, 6, "unknown word 'ö' (a string needs quotes)"),
        ("/* 1\r2\r3 */ [1, 'open", 3, 10, "the string does not end"),
        ("{a: 1, // comment\n a: 2}", 2, 2, "the key 'a' is here twice"),
        ("[1, 2", 1, 6, "expected ',' or ']', found the end"),
        ("{\"ä\": '😀' ? }", 1, 11, "expected ',' or '}', found '?'"),
        ("{a: -Infinity}", 1, 5, "a number must be finite"),
        ("\u{1}", 1, 1, "expected a value, found a control character"),
    ])
    func errorsNameLineAndColumn(text: String, line: Int, column: Int, reason: String) {
        #expect(throws: JSONError(reason, at: JSONPosition(line: line, column: column))) {
            try JSONNode(parsing: text, as: .json5)
        }
    }

    @Test func nestingIsLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(128))
        #expect(throws: JSONError("nested deeper than 128 levels", at: JSONPosition(line: 1, column: 129))) {
            try JSONValue(parsing: nested(129))
        }
        #expect(throws: JSONError.self) { try JSONNode(parsing: String(repeating: "{a:", count: 100_000)) }
    }

    @Test func ofTwoEqualKeysTheLastCountsOnTheWire() throws {
        #expect(try JSONValue(parsing: "{\"a\":1,\"a\":2}")["a"]?.int == 2)
    }
}
