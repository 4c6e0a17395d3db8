/// What a machine has to say and nobody has taken yet, first in, first out. Used for every packet, in every module.
@usableFromInline package struct OutputQueue<Element> {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var first = 0

    @inlinable package init() {}

    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    @inlinable package mutating func next() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        first += 1
        if first == elements.count {
            // The room stays, so that in the steady state nothing is allocated; that of a rare burst is given back.
            elements.removeAll(keepingCapacity: first <= 256)
            first = 0
        }
        return element
    }
}

extension OutputQueue: Sendable where Element: Sendable {}
