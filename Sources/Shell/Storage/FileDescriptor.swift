import Glibc

/// An open file of the system; closed when it is no longer held.
struct FileDescriptor: ~Copyable {
    let number: Int32

    init(
        opening path: String, _ flags: Int32, mode: mode_t = 0o600, for operation: StorageError.Operation
    ) throws(StorageError) {
        number = try retrying(operation, path) { open(path, flags | O_CLOEXEC, mode) }
        if flags & O_CREAT != 0 { FolderOwner.give(number, at: path) }
    }

    /// Opens a folder in an open folder, and no link.
    init(
        opening name: String, in folder: Int32, for operation: StorageError.Operation, _ path: String
    ) throws(StorageError) {
        number = try retrying(operation, path) {
            openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
    }

    deinit { close(number) }

    /// Writes all the bytes at an offset, or throws having written some of them.
    func write(
        _ bytes: [UInt8], at offset: Int64, for operation: StorageError.Operation, _ path: String
    ) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let start = done
            done += try retrying(operation, path) {
                bytes.withUnsafeBytes { buffer in
                    pwrite(
                        number, buffer.baseAddress?.advanced(by: start), buffer.count - start,
                        off_t(offset) + off_t(start))
                }
            }
        }
    }

    /// So many bytes at an offset; fewer only where the file ends.
    func read(at offset: Int64, count: Int, _ path: String) throws(StorageError) -> [UInt8] {
        var failure: StorageError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let start = filled
                do throws(StorageError) {
                    let more = try retrying(.read, path) {
                        pread(
                            number, buffer.baseAddress?.advanced(by: start), count - start, off_t(offset) + off_t(start)
                        )
                    }
                    if more == 0 { return }
                    filled += more
                } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// Calls the system again while it is interrupted; a negative result becomes an error.
@discardableResult
func retrying<Number: SignedInteger>(
    _ operation: StorageError.Operation, _ path: String, _ call: () -> Number
) throws(StorageError) -> Number {
    while true {
        let result = call()
        if result >= 0 { return result }
        let number = errno
        if number != EINTR { throw StorageError(operation, path, errno: number) }
    }
}
