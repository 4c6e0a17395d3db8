import MediaTypes
import Testing

struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("azAZ09-._~", "azAZ09-._~"), ("a b/c", "a%20b%2Fc"), ("ä", "%C3%A4"), ("\n\u{0}", "%0A%00"),
        ("会", "%E4%BC%9A"), ("#t=1?&%", "%23t%3D1%3F%26%25"),
    ])
    func everythingElseIsEncoded(text: String, encoded: String) { #expect(text.percentEncoded == encoded) }
}
