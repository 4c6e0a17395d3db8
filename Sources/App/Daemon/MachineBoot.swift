import Storage

/// Which start of the machine this is: processes are counted anew with each.
enum MachineBoot {
    static var identifier: String {
        let bytes = (try? SmallFile.read("/proc/sys/kernel/random/boot_id")) ?? []
        return String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self)
    }
}
