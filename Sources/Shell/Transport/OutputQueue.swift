/// What a machine has to say and nobody has taken yet, first in, first out.
struct OutputQueue<Element> {
    private var elements: [Element] = []
    private var first = 0

    var isEmpty: Bool { first == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func next() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        first += 1
        if first == elements.count {
            // The room stays: in the steady state nothing is allocated.
            elements.removeAll(keepingCapacity: true)
            first = 0
        }
        return element
    }
}
