import Testing

@testable import Archive

struct SearchWordsTests {
    @Test(arguments: [
        ("", ""), ("   ", ""), ("hello", #""hello""#), (" two  words ", #""two" "words""#),
        (#""two words" more"#, #""two words" "more""#), ("begin*", #""begin*"*"#),
        (#""begin so"* x"#, #""begin so"* "x""#),
        (#"an "open quote"#, #""an" "open quote""#), ("NOT AND OR NEAR(a, 2)", #""NOT" "AND" "OR" "NEAR(a," "2)""#),
        ("text:x ^y {z} -a +b", #""text:x" "^y" "{z}" "-a" "+b""#), (":) :-( *** \" \"\"", ""),
        ("a\0b", #""a b""#), ("‚‘“curly words”", #""curly words""#), ("naïve 会議 ٣", #""naïve" "会議" "٣""#),
    ])
    func theQuestionIs(text: String, expression: String) {
        #expect(SearchWords(text).expression == expression)
        #expect(SearchWords(text).isEmpty == expression.isEmpty)
    }

    @Test func longQuestionsAreCutOff() {
        #expect(SearchWords((0..<100).map { "word\($0)" }.joined(separator: " ")).phrases.count == 16)
        #expect(SearchWords(String(repeating: "word ", count: 10_000)).phrases.count == 1)
        #expect(SearchWords(String(repeating: "x", count: 10_000)).expression.count == 202)
    }
}
