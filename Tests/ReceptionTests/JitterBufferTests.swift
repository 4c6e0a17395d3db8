import CallbotTesting
import MediaTypes
import RTP
import Testing

@testable import Reception

@Suite struct JitterBufferTests {
    /// Drives a buffer with numbers relative to a start, and writes what leaves it: numbers, and `-n` for a gap of n.
    struct Story {
        var buffer = JitterBuffer(patience: .milliseconds(100))
        let start: Int64
        var left: [Int64] = []
        var insertions: [JitterBuffer.Insertion] = []

        init(start: Int64) { self.start = start }

        mutating func insert(_ numbers: Int64..., at milliseconds: Int, mayHavePredecessors: Bool = false) {
            for number in numbers {
                let time = MonotonicTime(nanoseconds: 0) + .milliseconds(milliseconds)
                let bytes = OutgoingRTPPacket(
                    payloadType: PayloadType(96), sequenceNumber: ExtendedSequenceNumber(start + number).wire,
                    timestamp: 0, ssrc: SSRC(1), payload: [1]
                ).serialized()
                guard let packet = try? RTPPacket(parsing: bytes) else { return }
                insertions.append(
                    buffer.insert(
                        ArrivedPacket(packet: packet, number: ExtendedSequenceNumber(start + number), arrival: time),
                        mayHavePredecessors: mayHavePredecessors))
                drain()
            }
        }

        mutating func wake(at milliseconds: Int) {
            buffer.wake(at: MonotonicTime(nanoseconds: 0) + .milliseconds(milliseconds))
            drain()
        }

        mutating func drain() {
            while let output = buffer.nextOutput() {
                switch output {
                case .packet(let arrived): left.append(arrived.number.value - start)
                case .gap(let count): left.append(-count)
                }
            }
        }
    }

    static let starts: [Int64] = [0, 1, 63, 32_767, 65_535, 65_536, -5, 1 << 40]

    @Test(arguments: starts)
    func whatIsInOrderLeavesAtOnceAndWhatIsNotWaits(start: Int64) {
        var story = Story(start: start)
        story.insert(0, 1, at: 0)
        #expect(story.left == [0, 1])
        story.insert(3, 4, at: 10)
        #expect(story.left == [0, 1])
        story.insert(2, at: 20)
        #expect(story.left == [0, 1, 2, 3, 4])
        #expect(story.buffer.nextDeadline == nil)
    }

    @Test(arguments: starts)
    func aFirstPacketThatCannotBeTheFirstWaitsForThoseBeforeIt(start: Int64) {
        var story = Story(start: start)
        story.insert(2, at: 0, mayHavePredecessors: true)
        story.insert(0, at: 5, mayHavePredecessors: true)
        #expect(story.left == [])
        #expect(story.insertions.last == .taken(missing: start + 1..<start + 2))
        story.insert(1, 3, at: 10)
        story.wake(at: 60)
        #expect(story.left == [0, 1, 2, 3])
        story.insert(-1, at: 61)
        #expect(story.insertions.last == .late)
    }

    @Test(arguments: starts)
    func twoGapsAreGivenUpEachInItsTime(start: Int64) {
        var story = Story(start: start)
        story.insert(0, 3, at: 0)
        story.insert(4, 6, at: 50)
        story.wake(at: 99)
        #expect(story.left == [0])
        story.wake(at: 100)
        #expect(story.left == [0, -2, 3, 4])
        story.wake(at: 149)
        #expect(story.left == [0, -2, 3, 4])
        story.wake(at: 150)
        #expect(story.left == [0, -2, 3, 4, -1, 6])
    }

    @Test(arguments: starts)
    func aGapHalfFilledIsGivenUpAsWhatIsLeftOfIt(start: Int64) {
        var story = Story(start: start)
        story.insert(0, 6, at: 0)
        story.insert(3, at: 60)
        story.wake(at: 100)
        #expect(story.left == [0, -2, 3, -2, 6])
        story.insert(2, 3, at: 110)
        #expect(Array(story.insertions.suffix(2)) == [.late, .duplicate])
        #expect(story.left == [0, -2, 3, -2, 6])
    }

    @Test func duplicatesAreToldFromLateOnes() {
        var story = Story(start: 100)
        story.insert(0, 2, 2, 0, -1, at: 0)
        #expect(
            story.insertions == [
                .taken(missing: nil), .taken(missing: 101..<102), .duplicate, .duplicate, .late,
            ])
    }

    @Test func itsMemoryIsBounded() {
        var story = Story(start: 0)
        story.insert(0, at: 0)
        for number in Int64(2)...5000 { story.insert(number, at: 1) }
        // Longer than the longest span: the gap was given up without waiting.
        #expect(story.left.prefix(3) == [0, -1, 2])
        story.insert(4999 + 9000, at: 2)
        #expect(story.insertions.last == .tooFarAhead)
    }

    @Test func anyOrderOfArrivalGivesTheSameOrder() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            var story = Story(start: 65_500)
            story.insert(0, at: 0)
            for number in (1...80).shuffled(using: &generator) { story.insert(Int64(number), at: 1) }
            #expect(story.left == Array(0...80))
        }
    }
}
