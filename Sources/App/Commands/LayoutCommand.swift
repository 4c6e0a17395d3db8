import Composition
import JSON
import MediaEngines
import MediaTypes
package import Recording
import Rendering
import Storage

/// `callbot layout`: draws a layout, so that one chooses by looking.
package enum LayoutCommand: Command {
    package static let name = "layout"
    package static let summary = "Draw a layout, to choose by looking."
    package static var words: [String] { LayoutName.allCases.map(\.rawValue) }

    package struct Request: Hashable, Sendable {
        package var people = 4
        /// The picture to write; nil for none.
        package var output: String?
        package var wantsJSON = false
        package var composite = CompositeRecipe()
        package init() {}
    }

    package static func parse(_ arguments: [String], in environment: Environment) throws(UsageError) -> ParsedCommand<
        Request
    > {
        let parser = ArgumentParser(settings)
        let parsed = try parser.parse(arguments)
        guard !parsed.wantsHelp else { return .help }
        var request = Request()
        if let name = parsed.positionals.first {
            do throws(InvalidValue) {
                request.composite.layout.layout = try LayoutChoice.Layout.parse(name, in: environment)
            } catch {
                throw UsageError("NAME \(error.reason)")
            }
        }
        try parser.apply(parsed, to: &request, in: environment)
        guard parsed.positionals.count == 1 else {
            throw UsageError(
                parsed.positionals.isEmpty
                    ? "the layout's name is missing" : "only one layout can be drawn at a time")
        }
        guard request.output != nil || request.wantsJSON else {
            throw UsageError("--output is missing: the picture to write; or --json")
        }
        if let output = request.output, !output.lowercased().hasSuffix(".png") {
            throw UsageError("--output writes files that end in .png, not '\(output)'")
        }
        return .request(request)
    }

    package static func run(
        _ request: Request, in surroundings: Surroundings
    ) throws(CommandFailure) -> ExitCode {
        do {
            surroundings.output(try run(request))
            return .success
        } catch let error as StorageError {
            throw CommandFailure(code: ExitCode(error), sentence: "\(error)")
        } catch {
            throw CommandFailure(code: .softwareError, sentence: "\(error)")
        }
    }

    /// - Returns: what is to be printed.
    package static func run(_ request: Request) throws -> String {
        let sketch = LayoutSketch(RenderSettings(request.composite), people: request.people)
        if let output = request.output {
            let file = try AppendFile(creating: output)
            try file.append(PictureFile.png(sketch.draw()))
        }
        guard request.wantsJSON else { return "" }
        func sides(_ size: PixelSize) -> JSONValue {
            ["width": JSONValue(size.width), "height": JSONValue(size.height)]
        }
        let tiles = sketch.places.map { person, place -> JSONValue in
            [
                "person": JSONValue(person), "x": JSONValue(place.x), "y": JSONValue(place.y),
                "width": JSONValue(place.width), "height": JSONValue(place.height),
            ]
        }
        let json: JSONValue = ["canvas": sides(request.composite.size), "tiles": .array(tiles)]
        return json.compact + "\n"
    }

    package static let settings = [
        SettingGroup<Request>(
            title: "The picture",
            settings: [
                .option("people", "N", "How many people, 0 to 1000 (default 4).", as: WholeNumber.self) {
                    (request, number) throws(InvalidValue) in request.people = try number.within(0...1000)
                },
                .option("output", letter: "o", "FILE", "The PNG file to write; it must not exist yet.", as: String.self)
                {
                    $0.output = $1
                },
                .flag("json", "Print where everybody is.") { $0.wantsJSON = $1 },
            ]),
        SettingGroup<Request>(
            title: "The layout",
            settings: CompositeRecipe.settings { (request, change) throws(InvalidValue) in
                try change(&request.composite)
            }.filter { !["layout", "fps", "bitrate", "codec", "audio-bitrate", "stats"].contains($0.name) }),
    ]

    package static var help: String {
        var help = HelpText(
            "Draws a layout with people who are not there, so that one can choose by looking.",
            usage: "callbot layout NAME|FILE [--people N] [--size WxH] -o FILE.png [options]")
        help.list(
            "Arguments",
            [
                ("NAME", LayoutName.allCases.map(\.rawValue).joined(separator: ", ") + "."),
                ("FILE", "A layout of one's own, as recipes/layouts has some."),
            ])
        help.options(settings)
        help.section(
            "Examples",
            """
            callbot layout speaker --people 9 -o speaker.png
            callbot layout artc --people 25 --size 720x1280 --json
            callbot layout openlive --people 5 --full 3 -o full.png
            callbot layout recipes/layouts/lecture.json5 --people 6 -o lecture.png
            """)
        return help.text
    }
}
