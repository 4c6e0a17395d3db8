/// Under which names a server answers. A page of somebody else whose name leads here (DNS rebinding) must not be able to
/// read what is here.
struct HostRule {
    /// Nil for any.
    private let names: Set<String>?

    /// - Parameters:
    ///   - address: what the server listens at.
    ///   - configured: further names that lead to it.
    init(address: String, configured: [String]) {
        let isLoopback = address.hasPrefix("127.") || address == "::1"
        guard isLoopback || !configured.isEmpty else {
            names = nil
            return
        }
        let own = isLoopback ? ["localhost", "127.0.0.1", "[::1]", address] : [address, "[\(address)]"]
        names = Set((own + configured).map { $0.lowercased() })
    }

    /// - Parameter host: the value of `Host`, with or without a port.
    func admits(_ host: String) -> Bool {
        var name = host.lowercased()[...]
        if let colon = name.lastIndex(of: ":"),
            name[name.index(after: colon)...].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            !name.contains("[") || name[..<colon].last == "]"
        {
            name = name[..<colon]
        }
        guard !name.isEmpty else { return false }
        return names?.contains(String(name)) ?? true
    }
}
