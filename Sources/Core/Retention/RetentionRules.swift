/// How long recordings are kept. What is not set limits nothing.
package struct RetentionRules: Hashable, Sendable {
    /// No longer than this after their end.
    package var age: Duration?
    /// No more than so many.
    package var count: Int?
    /// No more than so many of each room.
    package var countPerRoom: Int?
    /// No more than so many bytes, all together.
    package var bytes: Int64?
    /// As long as so many bytes of the disk are free.
    package var freeSpace: Int64?

    package init(
        age: Duration? = nil, count: Int? = nil, countPerRoom: Int? = nil, bytes: Int64? = nil, freeSpace: Int64? = nil
    ) {
        self.age = age
        self.count = count
        self.countPerRoom = countPerRoom
        self.bytes = bytes
        self.freeSpace = freeSpace
    }

    /// Whether they limit nothing.
    package var isEmpty: Bool { self == RetentionRules() }
}
