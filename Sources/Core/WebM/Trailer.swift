package import MediaTypes

/// A named part of a file, in the Chapters element (RFC 9559 section 5.1.7).
package struct Chapter: Hashable, Sendable {
    package var time: TimelineTime
    /// Nil when nothing says where it ends.
    package var end: TimelineTime?
    package var title: String
    package init(time: TimelineTime, end: TimelineTime? = nil, title: String) {
        self.time = time
        self.end = end
        self.title = title
    }
}

/// Facts about a file or about one of its tracks, in the Tags element (RFC 9559 section 5.1.8).
package struct Tag: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case file
        /// By its number.
        case track(Int)
    }
    package struct SimpleTag: Hashable, Sendable {
        /// Upper case, of Matroska's list where one fits: TITLE, DATE_RECORDED, ARTIST.
        package var name: String
        package var value: String
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
    package var target: Target
    package var simpleTags: [SimpleTag]
    package init(target: Target = .file, simpleTags: [SimpleTag]) {
        self.target = target
        self.simpleTags = simpleTags
    }
}

/// Where decoding can start: the position of a cluster, counted from the first byte of the Segment's body.
struct CuePoint {
    /// Milliseconds.
    var time: Int64
    var trackNumber: Int
    var clusterPosition: Int64
}

/// The elements that follow the last cluster.
enum Trailer {
    static func cues(_ points: [CuePoint]) -> [UInt8] {
        var bytes = EBMLBytes()
        bytes.append(.cues) { cues in
            for point in points {
                cues.append(.cuePoint) { cue in
                    cue.append(.cueTime, unsigned: UInt64(point.time))
                    cue.append(.cueTrackPositions) { positions in
                        positions.append(.cueTrack, unsigned: UInt64(point.trackNumber))
                        positions.append(.cueClusterPosition, unsigned: UInt64(point.clusterPosition))
                    }
                }
            }
        }
        return bytes.bytes
    }

    static func chapters(_ chapters: [Chapter]) -> [UInt8] {
        var bytes = EBMLBytes()
        bytes.append(.chapters) { element in
            element.append(.editionEntry) { edition in
                for (index, chapter) in chapters.enumerated() {
                    edition.append(.chapterAtom) { atom in
                        atom.append(.chapterUID, unsigned: UInt64(index + 1))
                        atom.append(.chapterTimeStart, unsigned: nanoseconds(chapter.time))
                        if let end = chapter.end { atom.append(.chapterTimeEnd, unsigned: nanoseconds(end)) }
                        atom.append(.chapterDisplay) { display in
                            display.append(.chapString, string: chapter.title)
                            display.append(.chapLanguage, string: "und")
                        }
                    }
                }
            }
        }
        return bytes.bytes
    }

    private static func nanoseconds(_ time: TimelineTime) -> UInt64 { UInt64(max(0, time.microseconds)) &* 1000 }

    static func tags(_ tags: [Tag], tracks: [TrackEntry]) -> [UInt8] {
        var bytes = EBMLBytes()
        bytes.append(.tags) { element in
            for tag in tags {
                element.append(.tag) { body in
                    body.append(.targets) { targets in
                        switch tag.target {
                        case .file:
                            targets.append(.targetTypeValue, unsigned: 50)
                        case .track(let number):
                            targets.append(.targetTypeValue, unsigned: 30)
                            for track in tracks where track.number == number {
                                targets.append(.tagTrackUID, unsigned: track.uid)
                            }
                        }
                    }
                    for simpleTag in tag.simpleTags {
                        body.append(.simpleTag) { simple in
                            simple.append(.tagName, string: simpleTag.name)
                            simple.append(.tagLanguage, string: "und")
                            simple.append(.tagString, string: simpleTag.value)
                        }
                    }
                }
            }
        }
        return bytes.bytes
    }
}
