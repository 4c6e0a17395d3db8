/// Hides secrets that were given on the command line from `ps` and /proc/PID/cmdline, by writing over them where the
/// kernel shows them from: the process's own memory. They were visible until then.
enum ExposedArguments {
    /// - Parameter arguments: index in the process's arguments (the program's name is 0), and where in it (in octets) the
    ///   secret begins. What cannot be hidden stays.
    static func hide(_ secrets: [(argument: Int, offset: Int)]) {
        guard let span = argumentSpan(), let start = UnsafeMutablePointer<UInt8>(bitPattern: span.lowerBound) else {
            return
        }
        var argument = 0
        var offset = 0
        for index in 0..<Int(span.upperBound - span.lowerBound) {
            if start[index] == 0 {
                argument += 1
                offset = 0
                continue
            }
            if secrets.contains(where: { $0.argument == argument && offset >= $0.offset }) {
                start[index] = UInt8(ascii: "*")
            }
            offset += 1
        }
    }

    /// Where the arguments lie: fields 48 and 49 of /proc/self/stat (proc(5)). Fields are counted after the last `)`, since
    /// the program's name may hold anything.
    private static func argumentSpan() -> Range<UInt>? {
        guard let bytes = try? Environment.process.contents("/proc/self/stat") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
        guard fields.count > 46, let lower = UInt(fields[45]), let upper = UInt(fields[46]), lower > 0, lower < upper
        else {
            return nil
        }
        return lower..<upper
    }
}
