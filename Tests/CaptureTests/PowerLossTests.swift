import CallbotTesting
import EventLoop
import Foundation
import MediaTypes
import RecordingFormat
import RoomProtocol
import Storage
import Testing
import WebMReading

@testable import Capture

@Suite struct PowerLossTests {
    /// However slow the disk is, the capture does not wait for it, and asks no more of it than it can do.
    @Test func aSlowDiskHoldsNothingUp() throws {
        let scene = try Scene(synchronizing: .milliseconds(250))
        let begun = Locked(0)
        let isOver = Locked(false)
        scene.capture.disk?.finish()
        scene.capture.disk = DiskThread(delaying: {
            begun.withLock { $0 += 1 }
            while !isOver.withLock({ $0 }) { usleep(1000) }
        })
        let clock = ContinuousClock()
        let taken = clock.measure {
            scene.start(1, of: "1", .microphone)
            for time in stride(from: Int64(0), to: 10_000, by: 20) {
                scene.capture.frame(sound(at: time), of: TrackID(1))
                scene.capture.tick(at: .ms(time))
            }
        }
        #expect(taken < .seconds(5) && begun.withLock { $0 } <= 1)
        isOver.withLock { $0 = true }
        scene.capture.finish(at: .ms(10_000), stopped)
        #expect(scene.failures().isEmpty)
        #expect(try scene.read().tracks.map(\.frames) == [500])
    }

    /// Milliseconds that may be lost at most: a second, and what this test's own clock and a busy machine add.
    private static let bound: Int64 = 1000 + 300

    /// A file system of its own, in an image whose copies are what a disk holds when the power fails. Needs the right to mount.
    @Test(.enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/loop-control")))
    func atMostASecondIsLostWithThePower() throws {
        let temporary = try TemporaryFolder()
        // In memory, so that other programs' use of the disk does not count.
        guard run("mount", "-t", "tmpfs", "-o", "size=400m", "none", temporary.path) else { return }
        defer { run("umount", "-l", temporary.path) }
        let (image, place, copy) = (temporary.path + "/image", temporary.path + "/place", temporary.path + "/copy")
        try Folder.create(place)
        guard run("truncate", "-s", "24M", image), run("mkfs.ext4", "-q", "-F", image),
            run("mount", "-o", "loop", image, place)
        else { return }
        defer { run("umount", "-l", place) }

        let capture = try Capture(
            at: .folder(place + "/call"), manifest: Scene.manifest, room: "Daily",
            synchronizing: Capture.usualSynchronizing)
        capture.record(.participantJoined(Participant(id: ParticipantID("1"), name: "Åsa")), at: .zero)
        for (number, source) in [(1, TrackSource.microphone), (2, .camera), (3, .screenShare)] {
            capture.record(.trackStarted(publication(number, of: "1", source)), at: .zero)
        }
        let present = Locked(Int64(0))
        let copies = Locked([(time: Int64, path: String)]())
        let isOver = Locked(false)
        Thread.detachNewThread {
            var generator = SeededGenerator(seed: 11)
            while !isOver.withLock({ $0 }), copies.withLock({ $0.count }) < 8 {
                usleep(UInt32.random(in: 300_000...900_000, using: &generator))
                let path = copy + String(copies.withLock { $0.count })
                // Twice the same: nothing was written while it was read.
                let time = present.withLock { $0 }
                guard let bytes = FileManager.default.contents(atPath: image),
                    bytes == FileManager.default.contents(atPath: image),
                    (try? bytes.write(to: URL(fileURLWithPath: path))) != nil
                else { continue }
                copies.withLock { $0.append((time, path)) }
            }
            isOver.withLock { $0 = true }
        }
        let begin = ContinuousClock.now
        var time: Int64 = 0
        while !isOver.withLock({ $0 }), time < 20_000 {
            time += 20
            let ahead = Duration.milliseconds(time) - (ContinuousClock.now - begin)
            if ahead > .zero { usleep(UInt32(clamping: ahead.microseconds)) }
            capture.frame(sound(at: time), of: TrackID(1))
            if time % 40 == 0 {
                for number in 2...3 {
                    capture.frame(picture(at: time, key: time % 2000 == 40 ? small : nil), of: TrackID(number))
                }
            }
            if time % 100 == 0 { capture.record(.notice("at \(time)"), at: .ms(time)) }
            if time % 240 == 0 { capture.tick(at: .ms(time)) }
            present.withLock { $0 = time }
        }
        capture.finish(at: .ms(time), stopped)
        let found = copies.withLock { $0 }
        #expect(found.count >= 4 && allFailures(of: capture).isEmpty)
        for copy in found { try check(copy.path, at: copy.time, mountedAt: temporary.path + "/found") }
    }

    /// What a copy of the image holds of a recording that had come so far.
    private func check(_ image: String, at time: Int64, mountedAt place: String) throws {
        try Folder.createMissing(place)
        try #require(run("mount", "-o", "loop", image, place), "the file system is whole")
        defer { run("umount", "-l", place) }
        let folder = place + "/call"
        let manifest = try RecordingManifest(parsing: SmallFile.read(folder + "/recording.json"))
        #expect(manifest.id == Scene.manifest.id)
        let (entries, _) = JournalEntry.entries(in: try SmallFile.read(folder + "/events.jsonl"))
        let lastEvent = entries.last?.at.milliseconds ?? 0
        #expect(time - lastEvent <= Self.bound, "the journal ends at \(lastEvent), the power at \(time)")
        // Tracks begin after some time, of which a power failure at the very beginning leaves nothing.
        guard time > Self.bound else { return }
        let names = try Folder.entries(folder + "/tracks")
        #expect(names.count == 3)
        for name in names {
            let reader = try WebMReader(path: folder + "/tracks/" + name)
            var last: Int64 = 0
            while let next = try reader.nextFrame() { last = next.frame.time.milliseconds }
            #expect(!reader.isTruncated && time - last <= Self.bound, "\(name) ends at \(last), the power at \(time)")
        }
    }

    @discardableResult
    private func run(_ words: String...) -> Bool {
        guard let process = try? ChildProcess(words) else { return false }
        return process.succeeds()
    }
}
