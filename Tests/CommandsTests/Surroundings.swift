import Commands

extension Environment {
    /// A world with these variables and files, and no others.
    static func made(
        variables: [String: String] = [:], files: [String: String] = [:], pictures: [String: [UInt8]] = [:]
    ) -> Environment {
        Environment(
            variable: { variables[$0] },
            contents: { (path) throws(Unreadable) in
                if let picture = pictures[path] { return picture }
                guard let text = files[path] else { throw Unreadable(reason: "No such file or directory") }
                return Array(text.utf8)
            })
    }
}
