import Glibc

/// An open file of the system; closed when it is no longer held.
struct FileDescriptor: ~Copyable {
    let number: Int32

    init(
        opening path: String, _ flags: Int32, mode: mode_t = 0o600, for operation: StorageError.Operation
    ) throws(StorageError) {
        number = try retrying(operation, path) { open(path, flags | O_CLOEXEC, mode) }
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
