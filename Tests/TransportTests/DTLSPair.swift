import EventLoop
import Glibc
import MediaTypes

@testable import Transport

/// Two DTLS sessions and the datagrams between them, without a socket. The test says what becomes of each datagram.
final class DTLSPair {
    enum Side { case client, server }

    let client: DTLSSession
    let server: DTLSSession
    private(set) var clientOutputs: [DTLSSession.Output] = []
    private(set) var serverOutputs: [DTLSSession.Output] = []
    /// Every datagram that was sent, in order.
    private(set) var sent: [(from: Side, octets: [UInt8])] = []
    /// What arrives of the datagram of that number: itself, another, or nothing.
    var link: (Int, [UInt8]) -> [UInt8]? = { _, octets in octets }

    init(
        limit: Int = DTLSSession.maximumDatagram, firstRetransmission: Duration = .milliseconds(200),
        clientExpects: [CertificateFingerprint]? = nil, serverExpects: [CertificateFingerprint]? = nil
    ) throws {
        let certificates = try (DTLSCertificate(), DTLSCertificate())
        client = try DTLSSession(
            role: .client, certificate: certificates.0, fingerprints: clientExpects ?? [certificates.1.fingerprint],
            datagramLimit: limit, firstRetransmission: firstRetransmission)
        server = try DTLSSession(
            role: .server, certificate: certificates.1, fingerprints: serverExpects ?? [certificates.0.fingerprint],
            datagramLimit: limit, firstRetransmission: firstRetransmission)
    }

    func start() {
        client.start(at: HostClock.now())
        run()
    }

    /// Carries datagrams to and fro until both are silent.
    func run() {
        while drain(client, .client) || drain(server, .server) {}
    }

    /// The same, and waits for retransmissions, until `isDone` or for 5 s. OpenSSL's timer follows the real clock, so the test
    /// has to.
    func run(until isDone: () -> Bool) {
        let end = HostClock.now() + .seconds(5)
        run()
        while !isDone(), HostClock.now() < end {
            guard let deadline = [client.nextDeadline, server.nextDeadline].compactMap({ $0 }).min() else { return }
            let wait = (deadline - HostClock.now()).microseconds
            if wait > 0 { usleep(useconds_t(wait)) }
            client.wake(at: HostClock.now())
            server.wake(at: HostClock.now())
            run()
        }
    }

    var clientKeys: SRTPKeyingMaterial? { keys(clientOutputs) }
    var serverKeys: SRTPKeyingMaterial? { keys(serverOutputs) }

    private func keys(_ outputs: [DTLSSession.Output]) -> SRTPKeyingMaterial? {
        for case .connected(let keys) in outputs { return keys }
        return nil
    }

    private func drain(_ session: DTLSSession, _ side: Side) -> Bool {
        var isBusy = false
        while let output = session.nextOutput() {
            isBusy = true
            switch side {
            case .client: clientOutputs.append(output)
            case .server: serverOutputs.append(output)
            }
            guard case .datagram(let octets) = output else { continue }
            sent.append((side, octets))
            guard let arriving = link(sent.count - 1, octets) else { continue }
            switch side {
            case .client: server.handle(arriving, at: HostClock.now())
            case .server: client.handle(arriving, at: HostClock.now())
            }
        }
        return isBusy
    }
}

/// Carries SCTP packets to and fro between two associations, in order, until both are silent; what is left is what they have
/// to say to their users.
func exchange(
    _ a: SCTPAssociation, _ b: SCTPAssociation, at now: MonotonicTime,
    link: ([UInt8]) -> [UInt8]? = { $0 }
) -> (a: [SCTPAssociation.Output], b: [SCTPAssociation.Output]) {
    var said: (a: [SCTPAssociation.Output], b: [SCTPAssociation.Output]) = ([], [])
    var isBusy = true
    while isBusy {
        isBusy = false
        while let output = a.nextOutput() {
            isBusy = true
            if case .packet(let octets) = output {
                if let arriving = link(octets) { b.handle(arriving, at: now) }
            } else {
                said.a.append(output)
            }
        }
        while let output = b.nextOutput() {
            isBusy = true
            if case .packet(let octets) = output {
                if let arriving = link(octets) { a.handle(arriving, at: now) }
            } else {
                said.b.append(output)
            }
        }
    }
    return said
}
