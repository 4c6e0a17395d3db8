import CallbotTesting
import Composition
import JSON
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
private let green = Colour(0x20A040)

private func places(_ count: Int) -> [PixelRectangle] {
    GridLayouter().rectangles(count: count, on: RenderSettings.small.size)
}

/// Ana is red and 440 Hz from the start and leaves at 4 s; Bo is blue and 1000 Hz from 2 s and mutes his camera at 5 s.
private func twoPeople() throws -> SyntheticCall {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .microphone, at: 0)
    call.start(2, of: "Ana", .camera, at: 0)
    try call.sing(1, 0..<4000, hertz: 440)
    try call.film(2, 0..<4000) { _ in red }
    call.join("Bo", at: 2000)
    call.start(3, of: "Bo", .microphone, at: 2000)
    call.start(4, of: "Bo", .camera, at: 2000)
    try call.sing(3, 2000..<6000, hertz: 1000)
    try call.film(4, 2000..<5000) { _ in blue }
    call.add(.participantLeft(ParticipantID("Ana"), .quit), at: 4000)
    call.mute(4, of: "Bo", at: 5000)
    return call
}

@Test func everyoneIsInTheirTileWhileTheyAreThere() throws {
    let file = try twoPeople().render(until: 6013)
    let screens = try file.screens(at: [0, 1000, 1960, 2000, 3000, 3960, 4000, 4500, 4960, 5000, 5900])
    for index in 0...2 { #expect(screens[index].shows(red, in: places(1)[0])) }
    for index in 3...5 {
        #expect(screens[index].shows(red, in: places(2)[0]))
        #expect(screens[index].shows(blue, in: places(2)[1]))
    }
    for index in 6...8 { #expect(screens[index].shows(blue, in: places(1)[0])) }
    for index in 9...10 { #expect(!screens[index].shows(blue, in: PixelRectangle(x: 0, y: 0, width: 40, height: 40))) }
}

@Test func everyVoiceIsHeardWhileItSounds() throws {
    let file = try twoPeople().render(until: 6013)
    for (range, ana, bo) in [
        (Int64(100)..<1900, 0.3, 0.0), (2100..<3900, 0.3, 0.3), (4100..<5900, 0.0, 0.3),
    ] {
        #expect(abs(file.level(of: 440, range) - ana) < 0.03)
        #expect(abs(file.level(of: 1000, range) - bo) < 0.03)
    }
}

/// ALL-06: who has no tile is still in the mix.
@Test func whoeverTheLayoutHidesIsHeard() throws {
    var call = SyntheticCall()
    for (index, hertz) in [300.0, 500, 700, 900, 1100].enumerated() {
        call.join("P\(index)", at: 0)
        call.start(index + 1, of: "P\(index)", .microphone, at: 0)
        try call.sing(index + 1, 0..<1000, hertz: hertz) { _ in 0.1 }
    }
    var settings = RenderSettings.small
    settings.layout.layout = .named(.openLive)
    settings.layout.options.isStrict = true
    let file = try call.render(settings, until: 1000)
    #expect(abs(file.level(of: 1100, 200..<800) - 0.1) < 0.02)
}

@Test(arguments: [Int64(1), 39, 40, 500, 999, 2013])
func durationIsExact(end: Int64) throws {
    let file = try twoPeople().render(until: end)
    #expect(file.summary.duration == .milliseconds(end))
    #expect(file.reader.duration == .milliseconds(end))
    #expect(file.pictures.first?.time == .zero && file.pictures.first?.isKeyframe == true)
    // The last tick before the end has a picture, and the sound reaches the end.
    #expect(file.pictures.last?.time == .ms((end - 1) / 40 * 40))
    #expect(Int64(file.samples.count) >= end * 48)
    #expect(Int64(file.samples.count) < (end + 27) * 48)
    #expect(file.reader.isComplete && file.reader.cueCount >= 1)
}

@Test func emptyRecordingIsAFileAllTheSame() throws {
    let file = try SyntheticCall().render(until: 0)
    #expect(file.pictures.isEmpty && file.reader.isComplete && file.summary.poster == nil)
}

@Test func flashAndBeepStayTogether() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .microphone, at: 0)
    call.start(2, of: "Ana", .camera, at: 0)
    let isOn = { (time: Int64) in time % 1000 < 200 && time >= 1000 }
    try call.sing(1, 0..<10_000, hertz: 1000) { isOn($0) ? 0.5 : 0 }
    try call.film(2, 0..<10_000) { isOn($0) ? .white : .black }
    let file = try call.render(until: 10_000)
    var ticks: [Int64] = []
    for moment in stride(from: Int64(0), to: 10_000, by: 40) { ticks.append(moment) }
    let isBright = try file.screens(at: ticks).map { $0.pixel(atX: 160, y: 90).luma > 125 }
    for second in Int64(1)..<10 {
        let flash = try #require(ticks.indices.first { ticks[$0] >= second * 1000 - 500 && isBright[$0] })
        let from = Int(second * 1000 - 500) * 48
        let beep = try #require(file.samples[from...].firstIndex { abs($0) > 0.1 })
        #expect(ticks[flash] == second * 1000)
        #expect(abs(Double(beep) / 48 - Double(second) * 1000) < 5)
    }
}

@Test func sameCallGivesTheSameFileHoweverItIsHandedIn() throws {
    let call = try twoPeople()
    let bytes = try call.render(until: 6013).bytes
    for step in [Int64(200), 7, 1700] {
        let isSame = try call.render(until: 6013, advancingBy: step).bytes == bytes
        #expect(isSame, "advancing by \(step) ms")
    }
}

@Test func framesMayHaveBeenCapturedBeforeTheirTrackWasAnnounced() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    try call.film(2, 0..<2000) { _ in green }
    call.start(2, of: "Ana", .camera, at: 150)
    let file = try call.render(until: 2000)
    #expect(try file.screens(at: [200])[0].shows(green, in: places(1)[0]))
}

@Test func stillSceneHasOnePictureASecond() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(2, of: "Ana", .screenShare, at: 0)
    try call.film(2, 0..<40) { _ in green }
    let file = try call.render(until: 30_000)
    // All ticks while it gets sharp, then one a second and the last.
    #expect(file.pictures.filter { $0.time >= .ms(2000) }.count <= 30)
    let times = file.pictures.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= .seconds(1) })
    #expect(times.last == .ms(29_960))
    // The screen is the second tile, and still there.
    #expect(try file.screens(at: [29_999])[0].shows(green, in: places(2)[1]))
}

@Test func brokenFrameKeepsTheLastGoodPictureUntilTheNextKeyframe() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(2, of: "Ana", .camera, at: 0)
    try call.film(2, 0..<4000) { $0 < 1000 ? red : blue }
    call.lose { frame, _ in frame.time == .ms(1000) }
    call.add(EncodedFrame(codec: .vp8, time: .ms(1000), isKeyframe: true, payload: [0, 0, 0, 1, 2, 3]), of: 2)
    let file = try call.render(until: 4000)
    let screens = try file.screens(at: [960, 1500, 1960, 2000])
    #expect(screens[0].shows(red, in: places(1)[0]) && screens[1].shows(red, in: places(1)[0]))
    #expect(screens[2].shows(red, in: places(1)[0]) && screens[3].shows(blue, in: places(1)[0]))
    #expect(file.summary.undecodableFrames == 1)
}

@Test func lostPacketsAreConcealedAndLongHolesAreSilent() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .microphone, at: 0)
    try call.sing(1, 0..<6000, hertz: 500)
    // One, two and three packets, the last across a window's edge; then 400 ms.
    let lost: [Int64] = [1000, 2000, 2020, 2880, 2900, 2920]
    call.lose { frame, _ in lost.contains { frame.time == .ms($0) } || (.ms(4000)..<(.ms(4400))).contains(frame.time) }
    let file = try call.render(until: 6000)
    #expect(file.summary.concealedPackets == 6)
    #expect(file.level(of: 500, 1000..<1020) > 0.15)
    #expect(file.level(of: 500, 2000..<2040) > 0.15)
    #expect(file.level(of: 500, 2880..<2910) > 0.1)
    #expect(file.peak(4040..<4360) < 0.01)
    #expect(file.level(of: 500, 4500..<5000) > 0.28)
    #expect(file.summary.lateSamples == 0)
}

@Test func frameLengthsFromShortToLongAreTakenAsTheyAre() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .microphone, at: 0)
    try call.sing(1, 0..<1000, hertz: 500)
    // Two packets of 20 ms joined to one of 40 (code 1 or 2 of RFC 6716 section 3.2 needs equal modes; code 3 takes all).
    var frames: [EncodedFrame] = []
    call.lose { frame, _ in
        frames.append(frame)
        return true
    }
    for pair in stride(from: 0, to: frames.count - 1, by: 2) {
        let (first, second) = (frames[pair].payload, frames[pair + 1].payload)
        guard first[0] & 0xFC == second[0] & 0xFC, first[0] & 3 == 0, second[0] & 3 == 0, first.count < 253 else {
            call.add(frames[pair], of: 1)
            call.add(frames[pair + 1], of: 1)
            continue
        }
        var joined = frames[pair]
        joined.payload = [first[0] | 2, UInt8(first.count - 1)] + first.dropFirst() + second.dropFirst()
        joined.duration = .milliseconds(40)
        call.add(joined, of: 1)
    }
    let file = try call.render(until: 1000)
    #expect(file.summary.undecodableFrames == 0 && file.summary.concealedPackets == 0)
    #expect(abs(file.level(of: 500, 100..<900) - 0.3) < 0.03)
}

@Test func posterShowsTheMomentWithMostPeople() throws {
    let file = try twoPeople().render(until: 6000)
    #expect(file.summary.poster?.prefix(2) == [0xFF, 0xD8])
}

/// OVC-11: a phone is turned in the hand. The picture is shown upright and whole, in its own shape, from that frame on, in a tile
/// that stays where it is.
@Test func aPictureThatIsTurnedStandsUpright() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .camera, at: 0)
    try call.film(1, 0..<3000) { canvas, _ in
        canvas.clear(blue)
        canvas.fill(PixelRectangle(x: 0, y: 0, width: 320, height: 90), red)
    }
    call.add(.trackRotated(TrackID(1), .right), at: 1000)
    call.add(.trackRotated(TrackID(1), .upsideDown), at: 2000)
    let file = try call.render(until: 3000)
    let screens = try file.screens(at: [960, 1000, 1960, 2000, 2960])
    func spot(_ x: Int, _ y: Int) -> PixelRectangle { PixelRectangle(x: x - 1, y: y - 1, width: 2, height: 2) }
    #expect(screens[0].shows(red, in: spot(160, 40)) && screens[0].shows(blue, in: spot(160, 140)))
    for index in 1...2 {
        // What was above is at the right; 180x320 in a tile of 320x180 is 102 wide.
        #expect(screens[index].shows(blue, in: spot(125, 90)) && screens[index].shows(red, in: spot(195, 90)))
        #expect(screens[index].shows(RenderSettings.small.background, in: spot(100, 90)))
        #expect(screens[index].shows(RenderSettings.small.background, in: spot(220, 90)))
    }
    for index in 3...4 {
        #expect(screens[index].shows(blue, in: spot(160, 40)) && screens[index].shows(red, in: spot(160, 140)))
    }
}

/// ALL-05, and ALL-03: who is meant by name is found when they come, and the picture changes at that very tick.
@Test func whoIsMeantByNameIsFoundWhenTheyAreThere() throws {
    var settings = RenderSettings.small
    settings.layout.layout = .named(.openLive)
    settings.layout.full = "Bo"
    let file = try twoPeople().render(settings, until: 3000)
    let screens = try file.screens(at: [1960, 2000, 2960])
    #expect(screens[0].shows(red, in: places(1)[0]))
    for index in 1...2 {
        #expect(screens[index].shows(blue, in: PixelRectangle(x: 200, y: 120, width: 100, height: 50)))
    }
    // Ana is in small above him.
    #expect(screens[2].shows(red, in: PixelRectangle(x: 5, y: 65, width: 100, height: 100)))
    settings.layout.full = nil
    settings.layout.viewpoint = "Bo"
    let seenByBo = try twoPeople().render(settings, until: 3000).screens(at: [2960])[0]
    // An app shows its own user first.
    #expect(seenByBo.shows(blue, in: PixelRectangle(x: 0, y: 0, width: 320, height: 90)))
    #expect(seenByBo.shows(red, in: PixelRectangle(x: 0, y: 90, width: 320, height: 90)))
}

/// ALL-05: a layout that is chosen during the call is there from the very tick on that shows the moment.
@Test(arguments: [(Int64(3019), Int64(3000)), (3020, 3040), (3021, 3040)])
func aLayoutChangesAtItsTick(asked: Int64, tick: Int64) throws {
    let bo = PixelRectangle(RenderSettings.small.size)
    let file = try twoPeople().render(
        controls: [
            (
                asked,
                .layout(["regions": [["name": "all", "x": 0, "y": 0, "width": 1, "height": 1, "who": ["name": "Bo"]]]])
            ),
            (3400, .layout("no such layout")), (3600, .layout("grid")),
        ], until: 4000)
    let screens = try file.screens(at: [tick - 40, tick, 3560, 3600])
    #expect(screens[0].shows(red, in: places(2)[0]) && screens[0].shows(blue, in: places(2)[1]))
    #expect(screens[1].shows(blue, in: bo) && screens[1].shows(blue, in: places(2)[0]))
    #expect(screens[2].shows(blue, in: places(2)[0]))
    #expect(screens[3].shows(red, in: places(2)[0]) && screens[3].shows(blue, in: places(2)[1]))
}

/// Who is asked for and not there yet gets their place when they come.
@Test func whoIsAskedForMayComeLater() throws {
    var settings = RenderSettings.small
    settings.layout.layout = .named(.openLive)
    let file = try twoPeople().render(
        settings, controls: [(1000, .full("Bo")), (3000, .full(nil)), (3400, .full("Ana"))], until: 4000)
    let screens = try file.screens(at: [1960, 2960, 3200, 3960])
    let large = PixelRectangle(x: 200, y: 120, width: 100, height: 50)
    #expect(screens[0].shows(red, in: places(1)[0]) && screens[1].shows(blue, in: large))
    #expect(screens[2].shows(red, in: PixelRectangle(x: 0, y: 0, width: 320, height: 90)))
    #expect(screens[3].shows(red, in: large))
}

@Test func marksAreChaptersUpToTheNext() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    let file = try call.render(
        controls: [(700, .mark("Second")), (200, .mark("First")), (2000, .mark("Too late"))], until: 1000)
    #expect(
        file.reader.chapters == [
            WebMChapter(start: .ms(200), end: .ms(700), title: "First"),
            WebMChapter(start: .ms(700), end: .ms(1000), title: "Second"),
        ])
}

@Test func whoSpeaksHasAFrame() throws {
    var call = try twoPeople()
    for (isSpeaking, time) in [(true, Int64(1000)), (false, 1400)] {
        call.add(.speaking(ParticipantID("Ana"), isSpeaking: isSpeaking), at: time)
    }
    let screens = try call.render(until: 1800).screens(at: [960, 1000, 1360, 1400])
    // Green has much less of BT.601's red difference than her red has.
    #expect(screens.map { $0.pixel(atX: 1, y: 90).red < 150 } == [false, true, true, false])
    for screen in screens { #expect(screen.shows(red, in: places(1)[0])) }
}

@Test func whoBeginsToSpeakWhileTheirPictureIsBrokenKeepsIt() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(2, of: "Ana", .camera, at: 0)
    try call.film(2, 0..<4000) { $0 < 1000 ? red : blue }
    call.lose { frame, _ in frame.time == .ms(1000) }
    call.add(EncodedFrame(codec: .vp8, time: .ms(1000), isKeyframe: true, payload: [0, 0, 0, 1, 2, 3]), of: 2)
    call.add(.speaking(ParticipantID("Ana"), isSpeaking: true), at: 1500)
    let screens = try call.render(until: 3000).screens(at: [1480, 1500, 1960, 2000])
    for screen in screens[..<3] { #expect(screen.shows(red, in: places(1)[0])) }
    #expect(screens[3].shows(blue, in: places(1)[0]) && screens[3].pixel(atX: 1, y: 90).blue < 150)
}

@Test func tilesGlideWhenThatIsAskedFor() throws {
    var settings = RenderSettings.small
    settings.animation = .milliseconds(400)
    let screens = try twoPeople().render(settings, until: 3000).screens(at: [1960, 2160, 2400])
    // Alone she fills the canvas; later the right half is his. In between she is on the way.
    let edge = PixelRectangle(x: 200, y: 60, width: 4, height: 4)
    #expect(
        screens[0].shows(red, in: edge) && screens[0].shows(red, in: PixelRectangle(x: 300, y: 10, width: 4, height: 4))
    )
    #expect(!screens[1].shows(red, in: PixelRectangle(x: 300, y: 10, width: 4, height: 4)))
    #expect(screens[1].shows(red, in: PixelRectangle(x: 20, y: 30, width: 4, height: 4)))
    #expect(screens[2].shows(red, in: places(2)[0]) && screens[2].shows(blue, in: places(2)[1]))
    #expect(!screens[2].shows(red, in: PixelRectangle(x: 20, y: 30, width: 4, height: 4)))
}

/// OVC-10: a muted camera is a stand-in from the very tick on, in the same tile, while the sound goes on; and what comes after is
/// the next picture that was sent, never one from before.
@Test func aMutedCameraIsAStandInAndNothingStaleComesBack() throws {
    var call = SyntheticCall()
    call.join("Ana", at: 0)
    call.start(1, of: "Ana", .microphone, at: 0)
    call.start(2, of: "Ana", .camera, at: 0)
    try call.sing(1, 0..<3000, hertz: 440)
    try call.film(2, 0..<1000) { _ in red }
    try call.film(2, 2200..<3000) { _ in blue }
    call.mute(2, of: "Ana", at: 1000)
    call.mute(2, of: "Ana", false, at: 2000)
    let file = try call.render(until: 3000)
    let corner = PixelRectangle(x: 4, y: 4, width: 4, height: 4)
    let screens = try file.screens(at: [960, 1000, 1960, 2000, 2160, 2960])
    #expect(screens.map { $0.shows(red, in: corner) } == [true, false, false, false, false, false])
    #expect(screens.map { $0.shows(blue, in: corner) } == [false, false, false, false, false, true])
    #expect(abs(file.level(of: 440, 1100..<1900) - 0.3) < 0.03)
}

/// ARC-02, ARC-03: fifty people are all seen, each in a tile of their own, and all heard.
@Test func fiftyPeopleAreAllSeenAndHeard() throws {
    var settings = RenderSettings.small
    settings.size = PixelSize(width: 1280, height: 720)
    settings.layout.layout = .named(.arCall)
    settings.videoBitRate = 8_000_000
    settings.audioBitRate = 256_000
    var call = SyntheticCall()
    func colour(_ index: Int) -> Colour {
        Colour(
            red: UInt8(40 + index % 5 * 50), green: UInt8(40 + index / 5 % 5 * 50), blue: UInt8(60 + index / 25 * 150))
    }
    for index in 0..<50 {
        let who = "P\(index)"
        call.join(who, at: 0)
        call.start(2 * index + 1, of: who, .microphone, at: 0)
        call.start(2 * index + 2, of: who, .camera, at: 0)
        try call.sing(2 * index + 1, 0..<1000, hertz: Double(300 + 100 * index)) { _ in 0.015 }
        try call.film(2 * index + 2, 0..<1000, size: PixelSize(width: 128, height: 128)) { time in
            time < 500 ? .black : colour(index)
        }
    }
    let file = try call.render(settings, until: 1000)
    let (before, after) = (try file.screens(at: [400])[0], try file.screens(at: [960])[0])
    // ARC-03: ten columns of 127.1 pixels, in five rows.
    for index in 0..<50 {
        let x = Int((Double(index % 10) + 0.5) * 128)
        let tile = PixelRectangle(x: x - 2, y: 40 + index / 10 * 128 + 62, width: 4, height: 4)
        #expect(before.shows(.black, in: tile) && after.shows(colour(index), in: tile), "\(index)")
        #expect(file.level(of: Double(300 + 100 * index), 200..<800) > 0.008, "\(index)")
    }
}
