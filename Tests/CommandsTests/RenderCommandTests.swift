import Composition
import JSON
import MediaEngines
import MediaTypes
import Recording
import Rendering
import Testing

@testable import Commands

struct RenderCommandTests {
    private static let regions =
        "{ regions: [{ name: 'all', x: 0, y: 0, width: 1, height: 1, who: 'rest', contentMode: 'crop' }] }"

    private func recorded(_ options: String..., environment: Environment = .made()) throws -> RecordRecipe {
        guard case .request(let request) = try RecordCommand.parse(["janus+ws://h/1"] + options, in: environment) else {
            throw UsageError("help")
        }
        return request.recipe
    }

    /// As rendered from a recording that was made after a recipe.
    private func rendered(_ options: String..., after recipe: JSONValue) throws -> RenderCommand.Request {
        guard case .request(var request) = try RenderCommand.parse(["x", "-o", "y.webm"] + options, in: .made()) else {
            throw UsageError("help")
        }
        request.inherit(recipe)
        return request
    }

    @Test func theLookIsAsItWasRecorded() throws {
        let recipe = try recorded(
            "--layout", "own.json5", "--viewpoint", "Ada", "--full", "Bo", "--pinned", "4711", "--strict", "--overflow",
            "page:15s", "--gap", "6", "--margin", "8", "--pictures", "crop", "--background", "#0A0B0C", "--no-labels",
            "--size", "640x360", "--fps", "10", environment: .made(files: ["own.json5": Self.regions]))
        var expected = try #require(recipe.composite)
        expected.size = CompositeRecipe().size
        expected.frameRate = CompositeRecipe().frameRate
        let request = try rendered(after: recipe.json)
        #expect(request.composite == expected)
        #expect(request.followsLayoutChanges)
        // It is written as text in between.
        #expect(try rendered(after: JSONValue(parsing: recipe.json.pretty)).composite == expected)
    }

    @Test func whatIsSaidNowWins() throws {
        let recipe = try recorded("--layout", "openlive", "--full", "Bo", "--gap", "6", "--no-labels").json
        let request = try rendered("--layout", "speaker", "--gap", "2", after: recipe)
        #expect(request.composite.layout.layout == .named(.speaker))
        #expect(request.composite.layout.options.gap == 2)
        #expect(request.composite.layout.full == "Bo" && !request.composite.hasLabels)
        #expect(!request.followsLayoutChanges)
        for option in [["--full", "Ada"], ["--pinned", "Ada"]] {
            guard case .request(let request) = try RenderCommand.parse(["x", "-o", "y"] + option, in: .made()) else {
                continue
            }
            #expect(!request.followsLayoutChanges)
        }
        #expect(try rendered("--size", "320x180", "--viewpoint", "Ada", after: recipe).followsLayoutChanges)
    }

    /// Recordings may come from anywhere.
    @Test func whatARecordingSaysBesideThePointIsPassedOver() throws {
        let recipe: JSONValue = [
            "layout": "/etc/passwd.json5", "gap": "wide", "margin": 8, "full": ["a"], "size": "2x2", "labels": 7,
        ]
        var expected = CompositeRecipe()
        expected.layout.options.margin = 8
        #expect(try rendered(after: recipe).composite == expected)
        #expect(try rendered(after: .null).composite == CompositeRecipe())
        #expect(try rendered(after: try recorded("--no-composite").json).composite == CompositeRecipe())
    }

    @Test func whatWasNotAskedForIsNotKept() throws {
        let keys = try recorded().json.object?.keys
        #expect(keys == ["room", "name", "size", "fps", "codec", "layout"])
    }

    @Test func aLayoutOfOnesOwnMayStandInARecipe() throws {
        let recipe = "{ room: 'janus+ws://h/1', layout: \(Self.regions) }"
        let wrong = "{ room: 'janus+ws://h/1',\n layout: { region: [] } }"
        let environment = Environment.made(files: ["r.json5": recipe, "wrong.json5": wrong])
        guard case .request(let request) = try RecordCommand.parse(["r.json5"], in: environment) else {
            throw UsageError("help")
        }
        #expect(
            request.recipe.composite?.layout.layout == .regions(try RegionLayout(parsing: Array(Self.regions.utf8))))
        do {
            _ = try RecordCommand.parse(["wrong.json5"], in: environment)
            Issue.record("a bad layout was taken")
        } catch {
            #expect(
                error.sentence
                    == "wrong.json5:2:10: layout is no layout: 1:2: unknown key 'region' (did you mean 'regions'?)")
        }
    }

    @Test func theRecordingsOwnCompositeIsMadeAsItWasAskedFor() throws {
        guard case .request(let request) = try RenderCommand.parse(["x", "--replace", "--status", "s"], in: .made())
        else { throw UsageError("help") }
        #expect(request.replaces && request.recording == "x" && request.statusFile == "s")
        for (words, sentence) in [
            (["x"], "--output is missing: the file to write; or --replace, for the recording's own call.webm"),
            (["x", "-o", "y.webm", "--replace"], "it is either --output or --replace"),
            (["x", "--replace", "--layout", "speaker"], "--layout goes with --output"),
            (["x", "-o", "y.webm", "--status", "s"], "--status is for --replace"),
        ] {
            let error = #expect(throws: UsageError.self) { try RenderCommand.parse(words, in: .made()) }
            #expect(error?.description.hasSuffix(sentence) == true, "\(error?.description ?? "")")
        }
    }

    @Test func aCompositeThatIsLeftForLaterIsAsItWasAskedFor() throws {
        let recipe = try recorded("--defer-composite", "--layout", "speaker", "--size", "640x360")
        #expect(recipe.ownComposite == nil && recipe.composite?.size.width == 640)
        #expect(recipe.json["layout"] == "speaker" && recipe.json["composite"] == nil)
        #expect(try recorded("--no-composite").json["composite"] == .bool(false))
    }
}
