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

    /// What holds for some rooms in place of `age` and `countPerRoom`, by the room's address or the last part of it.
    package var rooms: [String: RoomRules] = [:]

    /// What holds for the recordings of one room.
    package struct RoomRules: Hashable, Sendable {
        /// No longer than this after their end.
        package var age: Duration?
        package var count: Int?
        /// No more than so many bytes of it.
        package var bytes: Int64?
        package init() {}
    }

    /// What holds for a room alone; nil when nothing does.
    func rules(of room: String) -> RoomRules? {
        rooms[room] ?? room.split(separator: "/").last.flatMap { rooms[String($0)] }
    }

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
