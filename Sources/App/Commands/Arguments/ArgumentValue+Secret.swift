package import MediaTypes

/// A secret, best said where it is and not what it is: `env:NAME` or `file:PATH`. Anything else is the secret itself.
extension Secret: ArgumentValue {
    package static func parse(_ text: String, in environment: Environment) throws(InvalidValue) -> Secret {
        let secret: String
        if let name = text.suffix(after: "env:") {
            guard let value = environment.variable(name) else {
                throw InvalidValue("names the environment variable \(name), which is not set")
            }
            secret = value
        } else if let path = text.suffix(after: "file:") {
            secret = try content(ofFile: path, in: environment)
        } else {
            secret = text
        }
        guard !secret.isEmpty else { throw InvalidValue("must not be empty") }
        return Secret(secret)
    }

    /// Whether a text is the secret itself and so must be hidden.
    static func isLiteral(_ text: String) -> Bool { !text.hasPrefix("env:") && !text.hasPrefix("file:") }

    /// The file's text without the line end that editors put there.
    private static func content(ofFile path: String, in environment: Environment) throws(InvalidValue) -> String {
        let bytes: [UInt8]
        do {
            bytes = try environment.contents(environment.resolve(path))
        } catch {
            throw InvalidValue("names the file \(path), which cannot be read: \(error.reason)")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw InvalidValue("names the file \(path), which is not UTF-8 text")
        }
        if text.last?.isNewline == true { text.removeLast() }
        return text
    }
}

extension String {
    func suffix(after prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
