import Commands

extension Environment {
    /// A world with these variables and files, and no others.
    static func made(variables: [String: String] = [:], files: [String: String] = [:]) -> Environment {
        Environment(
            variable: { variables[$0] },
            contents: { (path) throws(Unreadable) in
                guard let text = files[path] else { throw Unreadable(reason: "No such file or directory") }
                return Array(text.utf8)
            })
    }
}
