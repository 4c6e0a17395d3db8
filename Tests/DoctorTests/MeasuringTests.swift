import CallbotTesting
import Foundation
import Testing

@testable import Doctor

@Suite struct MeasuringTests {
    @Test func picturesCostSomething() throws {
        let cost = try Measurements.PictureCost.measured(for: .milliseconds(100))
        #expect(cost.encoding > .microseconds(100) && cost.encoding < .seconds(1))
        #expect(cost.showing > .microseconds(10) && cost.showing < .seconds(1))
    }

    @Test func theDiskIsLeftAsItWas() throws {
        let folder = try TemporaryFolder()
        let disk = Measurements.Disk.measured(for: folder.path + "/not/yet/there")
        #expect(disk.folder == folder.path && disk.free > 0)
        guard case .measured(let bytes, let sync) = disk.writing else {
            Issue.record("\(disk.writing)")
            return
        }
        #expect(bytes > 0 && sync >= .zero)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func whatIsNoFolderIsSaid() throws {
        let folder = try TemporaryFolder()
        try "".write(toFile: folder.path + "/file", atomically: true, encoding: .utf8)
        #expect(Measurements.Disk.measured(for: folder.path + "/file").writing == .failed("it is no folder"))
    }

    @Test func theSteadyClockIsSteady() {
        #expect(Measurements.Clock.measured(readings: 1000).backwards == .zero)
    }
}
