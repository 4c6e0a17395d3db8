/// The elements of a WebM file that callbot writes, or looks into when it repairs one, by Matroska's names, with their
/// IDs as they stand in the file (RFC 8794 section 5, RFC 9559 section 5.1).
enum EBMLElement: UInt32, Sendable {
    // The EBML header
    case ebml = 0x1A45_DFA3
    case ebmlVersion = 0x4286
    case ebmlReadVersion = 0x42F7
    case ebmlMaxIDLength = 0x42F2
    case ebmlMaxSizeLength = 0x42F3
    case docType = 0x4282
    case docTypeVersion = 0x4287
    case docTypeReadVersion = 0x4285
    case void = 0xEC
    case crc32 = 0xBF

    case segment = 0x1853_8067

    case seekHead = 0x114D_9B74
    case seek = 0x4DBB
    case seekID = 0x53AB
    case seekPosition = 0x53AC

    case info = 0x1549_A966
    case timestampScale = 0x2A_D7B1
    case duration = 0x4489
    case dateUTC = 0x4461
    case title = 0x7BA9
    case muxingApp = 0x4D80
    case writingApp = 0x5741

    case tracks = 0x1654_AE6B
    case trackEntry = 0xAE
    case trackNumber = 0xD7
    case trackUID = 0x73C5
    case trackType = 0x83
    case flagLacing = 0x9C
    case name = 0x536E
    case language = 0x22_B59C
    case codecID = 0x86
    case codecPrivate = 0x63A2
    case codecDelay = 0x56AA
    case seekPreRoll = 0x56BB
    case defaultDuration = 0x23_E383
    case video = 0xE0
    case pixelWidth = 0xB0
    case pixelHeight = 0xBA
    case displayWidth = 0x54B0
    case displayHeight = 0x54BA
    case audio = 0xE1
    case samplingFrequency = 0xB5
    case channels = 0x9F

    case cluster = 0x1F43_B675
    case timestamp = 0xE7
    case simpleBlock = 0xA3
    case blockGroup = 0xA0
    case block = 0xA1
    case blockDuration = 0x9B
    case referenceBlock = 0xFB
    case encryptedBlock = 0xAF
    case silentTracks = 0x5854
    case position = 0xA7
    case prevSize = 0xAB

    case cues = 0x1C53_BB6B
    case cuePoint = 0xBB
    case cueTime = 0xB3
    case cueTrackPositions = 0xB7
    case cueTrack = 0xF7
    case cueClusterPosition = 0xF1

    case attachments = 0x1941_A469

    case chapters = 0x1043_A770
    case editionEntry = 0x45B9
    case chapterAtom = 0xB6
    case chapterUID = 0x73C4
    case chapterTimeStart = 0x91
    case chapterTimeEnd = 0x92
    case chapterDisplay = 0x80
    case chapString = 0x85
    case chapLanguage = 0x437C

    case tags = 0x1254_C367
    case tag = 0x7373
    case targets = 0x63C0
    case targetTypeValue = 0x68CA
    case tagTrackUID = 0x63C5
    case simpleTag = 0x67C8
    case tagName = 0x45A3
    case tagLanguage = 0x447A
    case tagString = 0x4487
}

extension EBMLElement {
    /// Whether it stands directly in a Segment, or above one: it ends a Cluster of unknown size (RFC 8794 section 6.2).
    var isAboveClusters: Bool {
        switch self {
        case .ebml, .segment, .seekHead, .info, .tracks, .cluster, .cues, .chapters, .tags, .attachments: true
        default: false
        }
    }

    /// Whether it may stand directly in a Cluster.
    var isInClusters: Bool {
        switch self {
        case .timestamp, .simpleBlock, .blockGroup, .encryptedBlock, .silentTracks, .position, .prevSize, .void, .crc32:
            true
        default: false
        }
    }
}
