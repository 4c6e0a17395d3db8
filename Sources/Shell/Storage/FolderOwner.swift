import Glibc

/// Whose the new is that the superuser makes in somebody else's folder: theirs, as if they had made it. Else a service with a user
/// of its own could not read what its administrator has scheduled, held or indexed for it.
package enum FolderOwner {
    /// Gives a file that has just been made, and is empty, to whom the folder belongs that it lies in.
    package static func give(_ descriptor: Int32, at path: String) {
        guard let owner = owner(around: path) else { return }
        var file = stat()
        // One that has another name elsewhere, or something in it, is not what was made here.
        guard fstat(descriptor, &file) == 0, file.st_uid == 0, file.st_nlink == 1, file.st_size == 0 else { return }
        fchown(descriptor, owner.user, owner.group)
    }

    /// The same for a folder.
    static func giveFolder(_ path: String) {
        guard let owner = owner(around: path) else { return }
        fchownat(AT_FDCWD, path, owner.user, owner.group, AT_SYMLINK_NOFOLLOW)
    }

    /// Nil where it is the process's own, or where this process can give nothing away.
    private static func owner(around path: String) -> (user: uid_t, group: gid_t)? {
        var folder = stat()
        guard geteuid() == 0, stat(Folder.parent(of: path), &folder) == 0, folder.st_uid != 0 else { return nil }
        return (folder.st_uid, folder.st_gid)
    }
}
