import EventLoop
import Storage

/// Brings what was written onto the disk, on a thread of its own: however slow the disk is, the capture never waits for it.
///
/// The order: the system begins to write all files at once; then the journal is waited for, which says what the other files
/// are, then the chat and the tracks, then the names of new files. A manifest is replaced as a whole in between.
final class DiskThread: Sendable {
    private enum Work: Sendable {
        case synchronize([SynchronizableFile], folders: [String])
        case replace(String, FileText)
    }

    /// What there is to tell the capture.
    private struct Account: Sendable {
        var isSynchronizing = false
        var isReplacing = false
        var isOver = false
        var failures: [StorageError] = []
    }

    private let worker: WorkerThread<Work>
    private let account = Locked(Account())

    /// - Parameter work: what the thread does first with each batch of files; for tests.
    init(delaying work: @escaping @Sendable () -> Void = {}) {
        worker = WorkerThread(name: "disk", capacity: .max) { [account] in
            { batch in
                for item in batch {
                    var failures: [StorageError] = []
                    switch item {
                    case .synchronize(let files, let folders):
                        work()
                        for file in files { file.begin() }
                        for file in files {
                            do throws(StorageError) { try file.synchronize() } catch { failures.append(error) }
                        }
                        for folder in folders {
                            do throws(StorageError) { try Folder.synchronize(folder) } catch { failures.append(error) }
                        }
                        account.withLock { $0.isSynchronizing = false }
                    case .replace(let path, let text):
                        do throws(StorageError) {
                            _ = try AtomicFile.replace(path, writing: text.write)
                        } catch {
                            failures.append(error)
                        }
                        account.withLock { $0.isReplacing = false }
                    }
                    account.withLock { $0.failures += failures }
                }
            }
        }
    }

    /// Whether files are being brought onto the disk: the next ones wait until that is done.
    var isSynchronizing: Bool { account.withLock { $0.isSynchronizing } }
    var isReplacing: Bool { account.withLock { $0.isReplacing } }

    /// Begins to bring files onto the disk, in this order, and then the names in folders. Never waits.
    func synchronize(_ files: [SynchronizableFile], folders: [String]) {
        account.withLock { $0.isSynchronizing = true }
        worker.push(.synchronize(files, folders: folders))
    }

    /// Begins to replace a file as a whole. Never waits.
    func replace(_ path: String, with text: FileText) {
        account.withLock { $0.isReplacing = true }
        worker.push(.replace(path, text))
    }

    /// What failed since this was asked last.
    func takeFailures() -> [StorageError] {
        account.withLock { account in
            defer { account.failures = [] }
            return account.failures
        }
    }

    /// Waits until all is done. Nothing is begun after that.
    func finish() {
        let isFirst = account.withLock { account in
            defer { account.isOver = true }
            return !account.isOver
        }
        if isFirst { worker.finish() }
    }

    deinit { finish() }
}
