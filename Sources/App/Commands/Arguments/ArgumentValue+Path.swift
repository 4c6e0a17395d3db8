/// A file or folder. In a recipe it counts from the recipe's folder, so that the recipe can be used from anywhere.
package struct PathArgument: ArgumentValue {
    package var path: String

    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> PathArgument {
        PathArgument(path: environment.resolve(try String.parse(text, in: environment)))
    }
}
