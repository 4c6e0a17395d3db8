import CallbotTesting
import MediaEngines
import MediaTesting
import MediaTypes
import RecordingFormat
import RoomProtocol
import Testing
import WebMReading

@testable import Rendering

private let red = Colour(0xC02020)
private let blue = Colour(0x2030C0)

/// Twelve seconds of Ana: red, and blue from 6 s on, with a keyframe every second; 440 Hz all along.
private func ana() throws -> SyntheticCall {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .microphone, at: 0)
    call.start(2, of: "Ana", .camera, at: 0)
    try call.sing(1, 0..<12_000, hertz: 440)
    for second in Int64(0)..<12 {
        try call.film(2, second * 1000..<(second + 1) * 1000) { _ in second < 6 ? red : blue }
    }
    return call
}

/// Whatever gives way, all of the sound is there, and it is the same sound.
@Test(arguments: CompositeLevel.allCases) func theSoundIsTheSameAtEveryLevel(level: CompositeLevel) throws {
    let whole = try ana().render(until: 12_000)
    let file = try ana().render(until: 12_000) { $0 < .ms(4000) ? .full : level }
    #expect(file.sounds.map(\.payload) == whole.sounds.map(\.payload))
    #expect(file.reader.isComplete && file.reader.duration == .seconds(12))
}

@Test func halfTheRateIsEverySecondPicture() throws {
    let file = try ana().render(until: 12_000) { $0 < .ms(4000) || $0 > .ms(8000) ? .full : .halfRate }
    let steps = Set(
        file.pictures.filter { $0.time > .ms(4500) && $0.time < .ms(7500) }.map { $0.time.microseconds % 80_000 })
    #expect(steps == [0])
    let screens = try file.screens(at: [3000, 5900, 6100, 9000])
    #expect(
        screens.map { $0.shows(red, in: PixelRectangle(x: 100, y: 60, width: 40, height: 40)) } == [
            true, true, false, false,
        ])
    #expect(
        screens.map { $0.shows(blue, in: PixelRectangle(x: 100, y: 60, width: 40, height: 40)) } == [
            false, false, true, true,
        ])
}

/// Every change of the size begins with a keyframe, and what is shown is the same.
@Test(arguments: [Codec.vp8, .vp9]) func halfTheSizeShowsTheSame(codec: Codec) throws {
    var settings = RenderSettings.small
    settings.codec = codec
    let file = try ana().render(settings, until: 12_000) { $0 < .ms(4000) || $0 > .ms(8000) ? .full : .halfSize }
    let decoder = try VPXDecoder(codec)
    var sizes: [PixelSize] = []
    for picture in file.pictures {
        _ = try decoder.decode(picture.payload)
        let size = try #require(decoder.picture?.size)
        if sizes.last != size {
            sizes.append(size)
            #expect(picture.isKeyframe)
        }
    }
    #expect(sizes.map(\.width) == [320, 160, 320] && sizes.map(\.height) == [180, 90, 180])
    for (moment, colour) in [(5000, red), (5900, red), (6500, blue), (9000, blue)] {
        let screen = try file.screens(at: [Int64(moment)])[0]
        #expect(screen.shows(colour, in: PixelRectangle(x: 0, y: 0, width: 320, height: 180)), "\(moment)")
    }
    #expect(file.size == settings.size)
}

/// The last picture stands, and there are new ones from the next keyframe on.
@Test func noPicturesWhileItIsOff() throws {
    let file = try ana().render(until: 12_000) { $0 < .ms(4000) || $0 > .ms(8500) ? .full : .off }
    #expect(file.pictures.allSatisfy { !(TimelineTime.ms(4100)...(.ms(7900))).contains($0.time) })
    let whole = PixelRectangle(x: 0, y: 0, width: 320, height: 180)
    let screens = try file.screens(at: [3900, 7000, 8800, 9300])
    #expect(screens.map { $0.shows(red, in: whole) } == [true, true, true, false])
    #expect(screens[3].shows(blue, in: whole))
}
