/// What we look at in a candidate (RFC 8839 section 5.1) before libnice sees it:
/// `candidate:foundation component transport priority address port typ type …`.
struct ICECandidateLine {
    let component: Int
    /// Lower case: udp or tcp.
    let transport: String
    let address: String

    /// The line without `a=`, as libnice and the signalling have it.
    let text: String

    /// Nil for what is no candidate, or is absurdly long. With or without `a=`.
    init?(_ line: String) {
        let text = line.hasPrefix("a=") ? String(line.dropFirst(2)) : line
        guard text.utf8.count < 1024, text.hasPrefix("candidate:"), text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) })
        else { return nil }
        let words = text.split(separator: " ")
        guard words.count >= 8, let component = Int(words[1]), UInt32(words[3]) != nil, UInt16(words[5]) != nil,
            words[6] == "typ"
        else { return nil }
        self.component = component
        transport = words[2].lowercased()
        address = String(words[4])
        self.text = text
    }

    /// A name that only the peer's own network can resolve (mDNS), which hides its address.
    var isHidden: Bool { address.lowercased().hasSuffix(".local") }

    /// Whether we can try it: RTP and RTCP share one component, over UDP.
    var isUsable: Bool { component == 1 && transport == "udp" && !isHidden }
}
