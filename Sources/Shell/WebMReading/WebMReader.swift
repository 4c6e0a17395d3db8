import CWebM
import Glibc
package import MediaTypes

/// Reads a WebM file frame by frame with libwebm's parser, in memory that does not grow with the file.
///
/// A file may end anywhere: what is whole is read, and `isTruncated` says that there was more to come. A file that is
/// still growing can be read on: after nil, ask again.
package final class WebMReader {
    private let reader: OpaquePointer
    private let source: ByteSource
    /// The tracks that are declared at the start of the file.
    package private(set) var tracks: [WebMTrack] = []
    private var codecs: [Int: Codec] = [:]
    /// Whether the bytes ended inside an element, or before the end that the Segment announces. Known after `nextFrame`
    /// has returned nil.
    package private(set) var isTruncated = false
    /// Whether the Segment has a size and was read to its end: the writer finished the file.
    package private(set) var isComplete = false

    /// Opens a file and reads its header.
    package init(path: String) throws(WebMReadingError) {
        source = try FileSource(path: path)
        reader = cwebm_open(readSource, Unmanaged.passUnretained(source).toOpaque())
        try readHeader()
    }

    /// Reads from memory.
    package init(bytes: [UInt8]) throws(WebMReadingError) {
        source = MemorySource(bytes)
        reader = cwebm_open(readSource, Unmanaged.passUnretained(source).toOpaque())
        try readHeader()
    }

    deinit { cwebm_close(reader) }

    /// The next frame of any track, in the order of the file. Nil at the end of what there is.
    ///
    /// The time is as the file has it, to the millisecond; a track's `codecDelay` is not taken off. Frames of tracks
    /// whose codec is unknown are left out.
    package func nextFrame() throws(WebMReadingError) -> (track: Int, frame: EncodedFrame)? {
        while true {
            var found = cwebm_frame()
            // The parser reads through the pointer that `source` was opened with.
            let result = withExtendedLifetime(source) { cwebm_next(reader, &found) }
            guard try isPaused(result) else { return nil }
            guard let number = Int(exactly: found.track), let codec = codecs[number] else { continue }
            let payload = [UInt8](UnsafeBufferPointer(start: found.payload, count: found.size))
            let time = TimelineTime(microseconds: found.time / 1000)
            let duration = codec == .opus ? OpusPacket.duration(of: payload) : nil
            let frame = EncodedFrame(
                codec: codec, time: time, duration: duration, isKeyframe: found.is_keyframe != 0, payload: payload)
            return (number, frame)
        }
    }

    /// Goes on at another place of the file.
    /// - Parameter cluster: where a cluster begins. At any other place what follows makes no sense, or is `malformed`.
    package func seek(to cluster: Int64) {
        withExtendedLifetime(source) { cwebm_seek(reader, UInt64(clamping: cluster)) }
    }

    /// The duration that the file says; nil when there is none, as in a file that was not finished.
    package var duration: Duration? {
        let nanoseconds = cwebm_duration(reader)
        return nanoseconds >= 0 && nanoseconds < 9e18 ? .nanoseconds(Int64(nanoseconds)) : nil
    }

    /// Empty when there is none.
    package var title: String { String(cString: cwebm_title(reader)) }

    /// The wall time of the file's time zero.
    package var dateUTC: WallTime? {
        var isPresent: Int32 = 0
        let nanoseconds = cwebm_date(reader, &isPresent)
        let microsecondsAtEpoch: Int64 = 978_307_200_000_000
        return isPresent != 0 ? WallTime(microseconds: nanoseconds / 1000 &+ microsecondsAtEpoch) : nil
    }

    /// The tags read so far; they follow the frames.
    package var tags: [WebMTag] {
        (0..<cwebm_tag_count(reader)).map { index in
            let tag = cwebm_tag_at(reader, index)
            return WebMTag(
                trackUID: tag.track_uid == 0 ? nil : tag.track_uid, name: String(cString: tag.name),
                value: String(cString: tag.value))
        }
    }

    /// How many cue points were read so far; they follow the frames.
    package var cueCount: Int { cwebm_cue_count(reader) }
    package var clusterCount: Int { cwebm_cluster_count(reader) }

    /// The chapters read so far; they follow the frames.
    package var chapters: [WebMChapter] {
        (0..<cwebm_chapter_count(reader)).map { index in
            let chapter = cwebm_chapter_at(reader, index)
            func time(_ nanoseconds: UInt64) -> TimelineTime {
                TimelineTime(microseconds: Int64(clamping: nanoseconds / 1000))
            }
            return WebMChapter(
                start: time(chapter.start), end: chapter.has_end != 0 ? time(chapter.end) : nil,
                title: String(cString: chapter.title))
        }
    }

    private func readHeader() throws(WebMReadingError) {
        _ = try isPaused(withExtendedLifetime(source) { cwebm_read_header(reader) })
        tracks = (0..<cwebm_track_count(reader)).compactMap { WebMTrack(cwebm_track_at(reader, $0)) }
        for track in tracks { codecs[track.number] = track.codec }
    }

    private func isPaused(_ result: cwebm_result) throws(WebMReadingError) -> Bool {
        switch result {
        case CWEBM_PAUSED:
            return true
        case CWEBM_END:
            isTruncated = false
            isComplete = true
            return false
        case CWEBM_STARVED:
            isTruncated = cwebm_is_between_elements(reader) == 0
            return false
        case CWEBM_UNREADABLE:
            throw .unreadable(errno: source.failure)
        default:
            throw .malformed
        }
    }
}

/// Why a file cannot be read.
package enum WebMReadingError: Error, Hashable {
    case cannotOpen(path: String, errno: Int32)
    case unreadable(errno: Int32)
    /// It is not WebM, or a part of it that was reached is not.
    case malformed
}

/// Called by the parser for more bytes; `user` is the reader's `ByteSource`.
private func readSource(
    _ user: UnsafeMutableRawPointer?, _ offset: UInt64, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int64 {
    guard let user, let buffer else { return -1 }
    let source = Unmanaged<ByteSource>.fromOpaque(user).takeUnretainedValue()
    return source.read(at: offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
}
