import MediaEngines
import Rendering

/// What is behind the tiles: a colour, or a picture file, which is read at once.
enum BackgroundArgument: ArgumentValue {
    case colour(Colour)
    case picture(StillPicture)

    static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> BackgroundArgument {
        let name = text.lowercased()
        guard text.contains("/") || [".png", ".jpg", ".jpeg"].contains(where: name.hasSuffix) else {
            do throws(InvalidValue) {
                return .colour(try Colour.parse(text, in: environment))
            } catch {
                throw InvalidValue("\(error.reason), or a PNG or JPEG file")
            }
        }
        let path = environment.resolve(text)
        let bytes: [UInt8]
        do {
            bytes = try environment.contents(path)
        } catch {
            throw InvalidValue("names the file \(path), which cannot be read: \(error.reason)")
        }
        do {
            return .picture(try PictureFile.read(bytes, over: RenderSettings().background))
        } catch {
            throw InvalidValue("names the file \(path), which \(error)")
        }
    }
}
