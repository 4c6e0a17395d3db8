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
    /// - Parameters:
    ///   - remark: what else there is to say about the recording.
    ///   - others: the other arguments.
    mutating func recordings(_ remark: String = "", _ others: [(String, String)] = []) {
        let names =
            "The id of a recording, or its beginning when no other begins so; 'last' for the newest; or the recording's folder."
        list("Arguments", [("RECORDING", names + (remark.isEmpty ? "" : " " + remark))] + others)
    }
}
