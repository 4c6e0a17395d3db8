/// Finds the name that somebody may have meant who wrote another one.
package enum Spelling {
    /// The known name with the fewest mistakes (letters put in, left out, exchanged or swapped), if that is at most one
    /// mistake for each three letters; the first of them when several are as near.
    package static func suggestion(for word: String, among known: [String]) -> String? {
        guard word.unicodeScalars.count <= 64 else { return nil }
        let distances = known.map {
            (name: $0, distance: distance(Array(word.unicodeScalars), Array($0.unicodeScalars)))
        }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(word.unicodeScalars.count, best.name.unicodeScalars.count) / 3)
            ? best.name : nil
    }

    /// The optimal string alignment distance; letters that differ in ASCII case alone cost nothing.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var current = [i + 1]
            for j in b.indices {
                let same = a[i].properties.lowercaseMapping == b[j].properties.lowercaseMapping
                var best = min(previous[j] + (same ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforePrevious[j - 1] + 1) }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[b.count]
    }
}
