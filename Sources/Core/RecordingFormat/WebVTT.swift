import MediaTypes

/// What all WebVTT files have in common.
enum WebVTT {
    /// `HH:MM:SS.mmm`, of as many hours as there are.
    static func timestamp(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        return "\((seconds / 3600).padded(2)):\((seconds / 60 % 60).padded(2)):\((seconds % 60).padded(2))"
            + ".\((milliseconds % 1000).padded(3))"
    }
}
