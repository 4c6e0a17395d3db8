import RoomProtocol
import SDP
import Transport
import WebIO

extension RoomEnd {
    /// There never was a connection to the server.
    init(_ failure: WebSocketFailure) {
        switch failure {
        case .malformedAddress, .unresolved, .unreachable, .timedOut: self = .unreachable(failure.description)
        case .tls, .certificateFile: self = .tlsFailed(failure.description)
        case .status, .notWebSocket, .wrongSubprotocol: self = .notJanus(failure.description)
        }
    }

    init(_ failure: TransportFailure) {
        self = failure.isICE ? .iceFailed(failure.description) : .dtlsFailed(failure.description)
    }

    init(_ failure: PeerConnection.OfferFailure) {
        switch failure {
        case .offer(let error): self = .notJanus("the server's offer cannot be answered: \(error.description)")
        case .transport(let failure): self.init(failure)
        case .over: self = .iceFailed(failure.description)
        }
    }
}
