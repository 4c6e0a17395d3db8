/// A request that names recordings and nothing else.
struct RecordingsRequest: ArchiveRequest {
    var archive: String?
    var positionals: [String] = []

    func check() throws(UsageError) {
        guard !positionals.isEmpty else { throw UsageError("a recording is missing") }
    }
}

extension HelpText {
    /// How recordings are named.
    mutating func recordings() {
        list(
            "Arguments",
            [
                (
                    "RECORDING",
                    "The id of a recording, or its beginning when no other begins so; or the recording's folder."
                )
            ]
        )
    }
}
