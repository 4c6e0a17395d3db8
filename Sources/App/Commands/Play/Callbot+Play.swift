extension Callbot {
    /// `callbot play`: until it is told to stop, or is at its end.
    func play(_ arguments: [String]) async -> ExitCode {
        let request: PlayCommand.Request
        do {
            switch try PlayCommand.parse(arguments, in: environment) {
            case .help: return print(PlayCommand.help)
            case .request(let parsed): request = parsed
            }
        } catch {
            return fail(.usage, "play", error.description)
        }
        let stopSignal = watchForStop()
        do throws(PlayCommand.Failure) {
            let request = try request.located(in: environment)
            guard request.isText else {
                return try await PlayCommand.serve(
                    request, environment: environment, stopSignal: stopSignal, output: output)
            }
            // Where the sound goes there, the text does not.
            return try await PlayCommand.follow(
                request, stopSignal: stopSignal, output: request.sound == "-" ? errorOutput : output)
        } catch {
            return fail(error.code, "play", error.sentence)
        }
    }
}
