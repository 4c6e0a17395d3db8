import MediaTypes
import Testing

@Suite struct OutputQueueTests {
    @Test(arguments: [1, 2, 256, 257, 1000])
    func whatWasSaidFirstIsTakenFirst(count: Int) {
        var queue = OutputQueue<Int>()
        var taken: [Int] = []
        // Twice, as it begins anew when it has been emptied.
        for _ in 0..<2 {
            for number in 0..<count { queue.append(number) }
            while let number = queue.next() { taken.append(number) }
        }
        #expect(taken == Array(0..<count) + Array(0..<count))
    }

    @Test func moreCanBeSaidWhileSomeWaits() {
        var queue = OutputQueue<Int>()
        queue.append(1)
        queue.append(2)
        let first = queue.next()
        queue.append(3)
        let rest = [queue.next(), queue.next(), queue.next()]
        #expect(first == 1)
        #expect(rest == [2, 3, nil])
    }
}
