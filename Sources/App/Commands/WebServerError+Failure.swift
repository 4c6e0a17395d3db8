import WebServer

extension CommandFailure {
    /// - Parameter option: where the port is chosen, such as `--listen`.
    init(_ error: WebServerError, option: String) {
        switch error {
        case .malformedAddress: self.init(code: .usage, sentence: "\(error)")
        case .cannotListen:
            self.init(
                code: .alreadyRunning,
                sentence:
                    "\(error): choose another port with \(option) (0 for any that is free), or end what listens there ('ss -ltnp' tells who)"
            )
        case .certificate: self.init(code: .noInput, sentence: "\(error)")
        }
    }
}
