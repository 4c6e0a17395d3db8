import Daemon
import JSON
import LocalSocket

extension StatePlace {
    /// Asks the daemon that goes by this state.
    func ask(_ request: DaemonRequest) throws(CommandFailure) -> JSONValue {
        let line: [UInt8]
        do {
            line = try LocalClient.ask(request.json.compactUTF8, in: folder, named: StatePlace.socket)
        } catch {
            throw CommandFailure(
                code: .unreachable,
                sentence: error.isNobodyThere ? noDaemon : "the daemon cannot be asked: \(error.reason)")
        }
        switch (try? JSONValue(parsing: line)).flatMap(DaemonAnswer.init) {
        case .done(let facts)?: return facts
        case .refused(let reason)?: throw CommandFailure(code: .unreachable, sentence: reason)
        case nil: throw CommandFailure(code: .unreachable, sentence: "what answers is no daemon")
        }
    }

    /// Why nothing is recorded by itself just now; nil when a daemon goes by this state.
    var warning: String? {
        do {
            _ = try ask(.status)
            return nil
        } catch {
            return error.sentence
        }
    }

    private var noDaemon: String { "no daemon runs that goes by \(folder): start 'callbot daemon'" }
}
