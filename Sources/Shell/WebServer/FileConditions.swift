/// What a request says about the file that it knows already (RFC 9110 section 13), and the answer that follows.
struct FileConditions {
    enum Answer: Hashable {
        /// 200
        case whole
        /// 206
        case part(Range<Int64>)
        /// 304
        case notModified
        /// 412
        case failed
        /// 416
        case unsatisfiable
    }

    let headers: Headers
    let tag: String
    let lastModified: String
    let length: Int64

    var answer: Answer {
        if let wanted = headers["If-Match"], !matches(wanted) { return .failed }
        if let known = headers["If-None-Match"] {
            if matches(known) { return .notModified }
        } else if headers["If-Modified-Since"] == lastModified {
            // What is sent back is the date that was given out before; another one is another file.
            return .notModified
        }
        if let condition = headers["If-Range"], condition != tag, condition != lastModified { return .whole }
        switch ByteRange(headers["Range"], length: length) {
        case .whole: return .whole
        case .part(let range): return .part(range)
        case .unsatisfiable: return .unsatisfiable
        }
    }

    private func matches(_ list: String) -> Bool {
        list.split(separator: ",").contains { item in
            var item = item.drop { $0 == " " }
            while item.last == " " { item.removeLast() }
            if item.hasPrefix("W/") { item = item.dropFirst(2) }
            return item == "*" || item == tag
        }
    }
}
