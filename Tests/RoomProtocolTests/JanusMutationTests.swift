import CallbotTesting
import JSON
import MediaTypes
import Testing

@testable import RoomProtocol

/// Recorded stays with something wrong in them. Nothing may crash, whatever the server says; tracks start before they end,
/// once each; and the end comes once, last.
@Suite struct JanusMutationTests {
    /// Every value of a message in turn is of another type, missing, or another of its kind.
    @Test func everyKeyOfTheWrongTypeIsSurvived() throws {
        let lines = try JanusTranscriptTests.transcript("stay")
        let firstOfAKind = Dictionary(grouping: lines.indices.filter { lines[$0].isFromServer }) { index in
            lines[index].message["plugindata"]?["data"]?.object?.keys ?? lines[index].message.object?.keys ?? []
        }.compactMap(\.value.first)
        var transcript = Transcript(ScriptedJanus())
        var checked = 0
        for (index, line) in lines.enumerated() {
            if firstOfAKind.contains(index) {
                for path in Self.paths(in: line.message).filter({ $0.count < 7 }) {
                    for replacement in [nil, 0, "x", [], [:], true, .unsigned(.max)] as [JSONValue] {
                        var twin = transcript
                        var mutated = line
                        mutated.message = Self.replacing(path[...], in: line.message, with: replacement)
                        twin.play(mutated)
                        // What comes right after it is enough to see the damage.
                        for next in lines[index...].dropFirst().prefix(3) { twin.play(next) }
                        checkEnd(&twin.janus)
                        checked += 1
                    }
                }
            }
            transcript.play(line)
        }
        #expect(checked > 1000)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func messagesLostDoubledAndExchangedAreSurvived(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var lines = try JanusTranscriptTests.transcript(seed % 2 == 0 ? "stay" : "stay-kicked")
        for _ in 0..<6 {
            let index = Int.random(in: lines.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: lines.remove(at: index)
            case 1: lines.insert(lines[index], at: index)
            case 2:
                let other = Int.random(in: lines.indices, using: &random)
                (lines[index].message, lines[other].message) = (lines[other].message, lines[index].message)
                (lines[index].isFromServer, lines[other].isFromServer) = (
                    lines[other].isFromServer, lines[index].isFromServer
                )
            default:
                let paths = Self.paths(in: lines[index].message)
                guard let from = paths.randomElement(using: &random), let to = paths.randomElement(using: &random),
                    let value = Self.value(at: from[...], in: lines[index].message)
                else { continue }
                lines[index].message = Self.replacing(to[...], in: lines[index].message, with: value)
            }
        }
        check(lines)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func brokenTextIsSurvived(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var janus = try ScriptedJanus.joined { _ in }
        for line in try JanusTranscriptTests.transcript("stay") where line.isFromServer {
            var bytes = line.message.compactUTF8
            for _ in 0..<2 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            janus.input(.received(text: text))
            janus.input(.message(.text, label: "JanusDataChannel", payload: bytes, isText: true))
        }
        checkOrder(janus)
    }

    private func check(_ lines: [Transcript.Line]) {
        var janus = ScriptedJanus()
        Transcript.play(lines, into: &janus)
        checkEnd(&janus)
    }

    private func checkEnd(_ janus: inout ScriptedJanus) {
        janus.input(.leave)
        janus.pass(.seconds(2))
        checkOrder(janus)
        #expect(janus.end != nil)
    }

    private func checkOrder(_ janus: ScriptedJanus) {
        var live: Set<TrackID> = []
        var last = 0
        for event in janus.events {
            if case .trackStarted(let track) = event {
                #expect(track.id.number == last + 1 && live.insert(track.id).inserted)
                last = track.id.number
            }
            if case .trackEnded(let id) = event { #expect(live.remove(id) != nil) }
        }
        let ends = janus.outputs.filter { if case .ended = $0 { true } else { false } }
        #expect(ends.count == (janus.end == nil ? 0 : 1))
        #expect(janus.end == nil || live.isEmpty)
    }

    // MARK: Places in a message

    enum Step: Hashable { case key(String), index(Int) }

    static func paths(in value: JSONValue) -> [[Step]] {
        switch value {
        case .object(let object):
            object.members.flatMap { member in
                [[.key(member.key)]] + paths(in: member.value).map { [.key(member.key)] + $0 }
            }
        case .array(let elements):
            elements.enumerated().flatMap { index, element in
                [[.index(index)]] + paths(in: element).map { [.index(index)] + $0 }
            }
        default: []
        }
    }

    static func value(at path: ArraySlice<Step>, in value: JSONValue) -> JSONValue? {
        switch path.first {
        case .key(let key): value[key].flatMap { Self.value(at: path.dropFirst(), in: $0) }
        case .index(let index): value[index].flatMap { Self.value(at: path.dropFirst(), in: $0) }
        case nil: value
        }
    }

    static func replacing(_ path: ArraySlice<Step>, in value: JSONValue, with new: JSONValue) -> JSONValue {
        switch (path.first, value) {
        case (.key(let key), .object(var object)):
            object[key] = object[key].map { replacing(path.dropFirst(), in: $0, with: new) }
            return .object(object)
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            elements[index] = replacing(path.dropFirst(), in: elements[index], with: new)
            return .array(elements)
        default: return new
        }
    }
}
