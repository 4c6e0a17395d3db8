import CHost

/// What kind of file system a folder is on, as far as it matters to recordings.
package enum FileSystemKind: Hashable, Sendable {
    /// On a disk of this machine, as far as one can tell.
    case local
    /// In memory: gone when the machine or the mount is.
    case memory
    /// A container's own layer: gone when the container is.
    case layered
    /// On another machine, by this protocol.
    case network(String)
    /// Served by a program (FUSE), which may or may not be a network's.
    case program

    package static func of(_ path: String) -> FileSystemKind { FileSystemKind(magic: cb_file_system_magic(path)) }

    /// By the numbers of statfs(2) and linux/magic.h.
    init(magic: Int) {
        switch magic {
        case 0x0102_1994, 0x8584_58F6: self = .memory
        case 0x794C_7630: self = .layered
        case 0x6969: self = .network("NFS")
        case 0xFF53_4D42, 0xFE53_4D42, 0x517B: self = .network("SMB")
        case 0x0102_1997: self = .network("9P")
        case 0x00C3_6400: self = .network("Ceph")
        case 0x5346_414F: self = .network("AFS")
        case 0x0BD0_0BD0: self = .network("Lustre")
        case 0x0116_1970: self = .network("GFS2")
        case 0x6573_5546: self = .program
        default: self = .local
        }
    }
}
