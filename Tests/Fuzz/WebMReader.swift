// A WebM file of somebody else's, or one that was cut off.
import MediaTypes
import WebMReading

func fuzz(_ bytes: [UInt8]) {
    guard let reader = try? WebMReading.WebMReader(bytes: bytes) else { return }
    var frames = 0
    while frames < 1000, (try? reader.nextFrame()) != nil { frames += 1 }
    _ = (reader.duration, reader.title, reader.dateUTC, reader.tags, reader.isTruncated, reader.isComplete)
}
