import CallbotTesting
import Capture
import Foundation
import MediaTypes
import Storage
import Testing
import WebM
import WebMReading

/// One file on disk that was never finished.
@Suite struct WebMRepairTests {
    private let scene: Scene
    private let path: String

    init() throws {
        scene = try Scene()
        scene.start(1, of: "1", .microphone)
        for time in stride(from: Int64(0), to: 3000, by: 20) {
            scene.capture.frame(sound(at: time), of: TrackID(1))
            scene.capture.tick(at: .ms(time))
        }
        path = scene.temporary.path + "/file.webm"
        let track = scene.folder + "/tracks/01-1-microphone.webm"
        try AppendFile(creating: path).append(SmallFile.read(track) + [0xA3, 0x90, 0x81])
    }

    @Test func itIsReplacedAndKeepsItsMode() throws {
        chmod(path, 0o640)
        let link = scene.temporary.path + "/link.webm"
        symlink(path, link)
        #expect(try WebMRepair(path: link).repair() == .repaired(leftOut: 3))
        let reader = try WebMReader(path: path)
        #expect(reader.duration != nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path)
        #expect(try WebMRepair(path: path).repair() == .whole)
        var longer = WebMRepair(path: path)
        longer.duration = .seconds(100)
        #expect(try longer.repair() == .amended)
        #expect(try WebMReader(path: path).duration == .seconds(100))
        #expect(try longer.repair() == .whole)
    }

    @Test func whateverGoesWrongTheOldOneStays() throws {
        let before = try SmallFile.read(path)
        #expect(throws: WebMRepair.Failure.stopped) { try WebMRepair(path: path).repair { _ in false } }
        // Somebody who still writes to it would lose what they write.
        #expect(throws: WebMRepair.Failure.isChanging) {
            try WebMRepair(path: path).repair { _ in
                (try? AppendFile(reopening: path).append([0])) != nil
            }
        }
        #expect(try SmallFile.read(path).starts(with: before))
        #expect(!Folder.exists(path + FileReplacement.suffix))
        try AppendFile(creating: path + ".txt").append(Array("no video".utf8))
        #expect(throws: WebMRepair.Failure.unusable(.notMatroska)) { try WebMRepair(path: path + ".txt").repair() }
    }

    @Test func nothingIsOverwrittenElsewhere() throws {
        let output = scene.temporary.path + "/output.webm"
        let before = try SmallFile.read(path)
        #expect(try WebMRepair(path: path).repair(to: output) == .repaired(leftOut: 3))
        #expect(try WebMReader(path: output).duration != nil && SmallFile.read(path) == before)
        #expect(throws: WebMRepair.Failure.storage(StorageError(.create, output, errno: EEXIST))) {
            try WebMRepair(path: path).repair(to: output)
        }
    }
}
