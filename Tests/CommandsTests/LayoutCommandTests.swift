import CallbotTesting
import Foundation
import JSON
import MediaEngines
import MediaTypes
import Recording
import Testing

@testable import Commands

struct LayoutCommandTests {
    private func request(_ arguments: String...) throws -> LayoutCommand.Request {
        guard case .request(let request) = try LayoutCommand.parse(arguments, in: .made()) else {
            throw UsageError("help")
        }
        return request
    }

    /// The numbers are those of ARTC's table for 25 people in portrait (ART-01).
    @Test func placesAreToldAsWholeNumbers() throws {
        let text = try LayoutCommand.run(request("artc", "--people", "25", "--size", "720x1280", "--json"))
        let json = try JSONValue(parsing: text)
        #expect(json["canvas"]?.compact == #"{"width":720,"height":1280}"#)
        let tiles = try #require(json["tiles"]?.array)
        #expect(tiles.count == 25)
        #expect(tiles.first?.compact == #"{"person":1,"x":24,"y":44,"width":150,"height":150}"#)
        #expect(tiles.last?.compact == #"{"person":25,"x":24,"y":1088,"width":150,"height":150}"#)
    }

    @Test func peopleAreMeantByTheirNumber() throws {
        let text = try LayoutCommand.run(request("openlive", "--people", "5", "--full", "3", "--json"))
        let tiles = try #require(try JSONValue(parsing: text)["tiles"]?.array)
        #expect(tiles.first?.compact == #"{"person":3,"x":0,"y":0,"width":1280,"height":720}"#)
        #expect(tiles.map { $0["person"]?.int } == [3, 1, 2, 4, 5])
    }

    @Test func thePictureIsAPNGOfTheSizeAskedFor() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/layout.png"
        let printed = try LayoutCommand.run(request("speaker", "--people", "9", "--size", "640x360", "-o", path))
        #expect(printed.isEmpty)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        // The header's width and height (PNG, section 11.2.2).
        #expect(bytes[16..<24] == Data([0, 0, 2, 128, 0, 0, 1, 104]))
    }

    @Test func aLayoutOfOnesOwnIsReadFromAFile() throws {
        let text = """
            { regions: [ { name: "left", x: 0, y: 0, width: 0.5, height: 1, who: "speaking" },
              { name: "right", x: 0.5, y: 0, width: 0.5, height: 1, who: "rest" } ] }
            """
        let environment = Environment.made(files: ["own.json5": text, "bad.json5": "{ regions: [\n { nam: 'x' } ] }"])
        guard
            case .request(let request) = try LayoutCommand.parse(
                ["own.json5", "--people", "2", "--json"], in: environment)
        else { throw UsageError("help") }
        let tiles = try #require(try JSONValue(parsing: LayoutCommand.run(request))["tiles"]?.array)
        // The second one speaks.
        #expect(tiles.first?.compact == #"{"person":2,"x":0,"y":0,"width":640,"height":720}"#)
        do {
            _ = try RecordCommand.parse(["janus+ws://h/1", "--layout", "bad.json5"], in: environment)
            Issue.record("a bad layout was taken")
        } catch {
            #expect(error.sentence.hasPrefix("--layout is no layout: bad.json5:2:"), "\(error.sentence)")
        }
    }

    @Test func aBackgroundPictureIsReadFromAFile() throws {
        let canvas = Canvas(size: PixelSize(width: 34, height: 18))
        let (png, jpeg) = (try PictureFile.png(canvas), try PictureFile.jpeg(canvas))
        let environment = Environment.made(
            files: ["rooms/call.json5": "{ room: 'janus+ws://h/1', background: '../wall.png', cornerRadius: 12 }"],
            pictures: [
                "wall.png": png, "rooms/../wall.png": png, "./WALL.JPG": jpeg, "half.jpg": Array(jpeg.dropLast(40)),
                "text.png": Array("text".utf8),
            ])
        for name in ["wall.png", "./WALL.JPG"] {
            guard
                case .request(let request) = try LayoutCommand.parse(
                    ["grid", "--background", name, "--json"], in: environment)
            else { throw UsageError("help") }
            #expect(request.composite.backgroundPicture?.size == canvas.size)
        }
        // A path in a recipe counts from the recipe.
        guard case .request(let request) = try RecordCommand.parse(["rooms/call.json5"], in: environment) else {
            throw UsageError("help")
        }
        #expect(request.recipe.composite?.backgroundPicture?.size == canvas.size)
        #expect(request.recipe.composite?.cornerRadius == 12)
        for (name, reason) in [
            ("none.png", "which cannot be read: No such file"), ("text.png", "which is neither PNG nor JPEG"),
            ("half.jpg", "which is damaged"),
        ] {
            do {
                _ = try LayoutCommand.parse(["grid", "--background", name, "--json"], in: environment)
                Issue.record("\(name) was taken")
            } catch {
                #expect(
                    error.description.hasPrefix("--background names the file \(name), \(reason)"),
                    "\(error.description)")
            }
        }
    }

    @Test(
        arguments: [
            ([], "the layout's name is missing"),
            (["grid"], "--output is missing: the picture to write; or --json"),
            (["gird", "--json"], "NAME must be one of"), (["grid", "--json", "--people", "-1"], "--people"),
            (["grid", "-o", "x.jpg"], "--output writes files that end in .png, not 'x.jpg'"),
            (["grid", "artc", "--json"], "only one layout can be drawn at a time"),
            (["grid", "--json", "--overflow", "sideways"], "--overflow must be scale, reflow, page or page:TIME"),
            (["grid", "--json", "--background", "red"], "--background must be a colour such as #101114, or a PNG"),
        ] as [([String], String)])
    func whatCannotBeDrawnIsToldInOneSentence(arguments: [String], sentence: String) {
        do {
            _ = try LayoutCommand.parse(arguments, in: .made())
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(error.description.hasPrefix(sentence), "\(error.description)")
        }
    }
}
