// An offer of the server's: read, written and read again, and answered.
import MediaTypes
import SDP

private let parameters = AnswerParameters(
    acceptedCodecs: [.opus, .vp8],
    iceCredentials: ICECredentials(usernameFragment: "fuzz", password: "0123456789abcdefghijkl"),
    fingerprint: Fingerprint(hashFunction: "sha-256", digest: [UInt8](repeating: 7, count: 32)), sessionID: 1)

func fuzz(_ bytes: [UInt8]) {
    guard let offer = try? SessionDescription(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
    guard let again = try? SessionDescription(parsing: offer.text) else {
        preconditionFailure("what we write is no description")
    }
    precondition(again.text == offer.text, "written twice, it differs")
    guard let session = try? OfferAnswer.answer(offer, with: parameters) else { return }
    precondition(session.answer.media.count == offer.media.count, "an answer has a section for each offered")
    guard (try? SessionDescription(parsing: session.answer.text)) != nil else {
        preconditionFailure("the answer is no description")
    }
}
