import EventLoop
import MediaTypes
import Testing

@testable import Transport

struct DTLSSessionTests {
    @Test func twoPeersShakeHandsAndAgreeOnKeys() throws {
        let pair = try DTLSPair()
        pair.start()
        let client = try #require(pair.clientKeys)
        let server = try #require(pair.serverKeys)
        #expect(client.profile == .aeadAES128GCM)
        #expect(client.outbound == server.inbound)
        #expect(client.inbound == server.outbound)
        #expect(client.outbound != client.inbound)
        #expect(client.outbound.count == 28)
        #expect(pair.client.nextDeadline == nil)
        #expect(pair.server.nextDeadline == nil)
    }

    @Test(arguments: [300, 600, 1200])
    func noDatagramIsLongerThanItsLimit(limit: Int) throws {
        let pair = try DTLSPair(limit: limit)
        pair.start()
        #expect(pair.clientKeys != nil)
        #expect(pair.sent.map(\.octets.count).max() ?? 0 <= limit)
    }

    @Test func applicationDataPassesBothWaysAndKeepsItsBorders() throws {
        let pair = try DTLSPair()
        pair.start()
        for length in [1, 500, 1163] {
            pair.client.send([UInt8](repeating: 1, count: length), at: HostClock.now())
            pair.server.send([UInt8](repeating: 2, count: length), at: HostClock.now())
        }
        pair.run()
        let sizes = [1, 500, 1163]
        #expect(pair.serverOutputs.applicationData == sizes.map { [UInt8](repeating: 1, count: $0) })
        #expect(pair.clientOutputs.applicationData == sizes.map { [UInt8](repeating: 2, count: $0) })
        #expect(pair.sent.map(\.octets.count).max() ?? 0 <= 1200)
    }

    @Test func whoeverIsNotTheOneAnnouncedIsRefusedBeforeAnyKey() throws {
        let stranger = try DTLSCertificate().fingerprint
        let pair = try DTLSPair(clientExpects: [stranger])
        pair.start()
        #expect(pair.clientOutputs.last == .failed(.fingerprintMismatch))
        #expect(pair.clientKeys == nil)
        #expect(pair.serverKeys == nil)
        guard case .failed(.alert) = pair.serverOutputs.last else {
            Issue.record("the server was not told: \(pair.serverOutputs)")
            return
        }
    }

    @Test func aServerRefusesAStrangerToo() throws {
        let stranger = try DTLSCertificate().fingerprint
        let pair = try DTLSPair(serverExpects: [stranger])
        pair.start()
        #expect(pair.serverOutputs.last == .failed(.fingerprintMismatch))
        #expect(pair.serverKeys == nil)
    }

    @Test func withoutAnyFingerprintNobodyIsTrusted() throws {
        let pair = try DTLSPair(clientExpects: [])
        pair.start()
        #expect(pair.clientOutputs.last == .failed(.fingerprintMismatch))
    }

    /// RFC 8122 section 5: the strongest function counts, whatever the weaker ones say.
    @Test(arguments: CertificateHash.allCases)
    func aFingerprintByAnyKnownFunctionIsChecked(hash: CertificateHash) throws {
        let certificate = try DTLSCertificate()
        let octets = try #require(digest(of: certificate.certificate, by: hash))
        let right = CertificateFingerprint(hash: hash, digest: octets)
        let wrong = CertificateFingerprint(hash: hash, digest: octets.map { $0 ^ 1 })
        #expect(outcome(of: certificate, expected: [right]))
        #expect(outcome(of: certificate, expected: [wrong, right]))
        #expect(!outcome(of: certificate, expected: [wrong]))
        if hash > .sha256 { #expect(!outcome(of: certificate, expected: [certificate.fingerprint, wrong])) }
    }

    private func outcome(of certificate: DTLSCertificate, expected: [CertificateFingerprint]) -> Bool {
        guard let own = try? DTLSCertificate(),
            let client = try? DTLSSession(role: .client, certificate: own, fingerprints: expected),
            let server = try? DTLSSession(role: .server, certificate: certificate, fingerprints: [own.fingerprint])
        else { return false }
        client.start(at: HostClock.now())
        var isConnected = false
        var isBusy = true
        while isBusy {
            isBusy = false
            while let output = client.nextOutput() {
                isBusy = true
                if case .datagram(let octets) = output { server.handle(octets, at: HostClock.now()) }
                if case .connected = output { isConnected = true }
            }
            while let output = server.nextOutput() {
                isBusy = true
                if case .datagram(let octets) = output { client.handle(octets, at: HostClock.now()) }
            }
        }
        return isConnected
    }

    @Test(arguments: 0..<6)
    func aLostDatagramOfTheHandshakeIsSentAgain(lost: Int) throws {
        let pair = try DTLSPair(limit: 600, firstRetransmission: .milliseconds(20))
        pair.link = { number, octets in number == lost ? nil : octets }
        pair.start()
        pair.run(until: { pair.clientKeys != nil && pair.serverKeys != nil })
        #expect(pair.clientKeys != nil)
        #expect(pair.serverKeys != nil)
    }

    @Test func goodbyeIsHeard() throws {
        let pair = try DTLSPair()
        pair.start()
        pair.client.close()
        pair.run()
        #expect(pair.serverOutputs.last == .closed)
        pair.server.close()
        pair.client.handle([22], at: HostClock.now())
        pair.run()
    }

    /// Each octet of each datagram of a handshake changed, once with and once without the original behind it.
    @Test func aChangedDatagramNeverCrashesAndEndsInKeysOrInAnError() throws {
        let model = try DTLSPair(limit: 600)
        model.start()
        let lengths = model.sent.map(\.octets.count)
        var outcomes: Set<String> = []
        for (index, length) in lengths.enumerated() {
            for position in stride(from: index % 3, to: length, by: 3) {
                let pair = try DTLSPair(limit: 600)
                pair.link = { number, octets in
                    guard number == index, position < octets.count else { return octets }
                    var changed = octets
                    changed[position] ^= 0x55
                    return changed
                }
                pair.start()
                outcomes.insert(pair.clientKeys == nil ? "no keys" : "keys")
            }
        }
        #expect(outcomes.contains("no keys"))
    }

    @Test func aTruncatedDatagramIsCountedAndTheHandshakeGoesOn() throws {
        let model = try DTLSPair()
        model.start()
        for (index, datagram) in model.sent.enumerated() {
            for length in stride(from: 0, to: datagram.octets.count, by: 7) {
                let pair = try DTLSPair()
                pair.link = { number, octets in
                    if number == index {
                        // The cut one first, then the whole one.
                        let other = datagram.from == .client ? pair.server : pair.client
                        other.handle(Array(octets.prefix(length)), at: HostClock.now())
                    }
                    return octets
                }
                pair.start()
                // A cut at a record's end leaves a good datagram; all others are turned away unseen.
                #expect(pair.clientKeys != nil && pair.serverKeys != nil, "datagram \(index) cut to \(length)")
            }
        }
    }

    @Test func rubbishAfterTheHandshakeHarmsNothing() throws {
        let pair = try DTLSPair()
        pair.start()
        pair.client.send(Array("hello".utf8), at: HostClock.now())
        var sealed: [UInt8] = []
        while let output = pair.client.nextOutput() { if case .datagram(let octets) = output { sealed = octets } }
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 0x80
            pair.server.handle(changed, at: HostClock.now())
            pair.server.handle(Array(sealed.prefix(position)), at: HostClock.now())
        }
        pair.server.handle(sealed, at: HostClock.now())
        pair.server.handle(sealed, at: HostClock.now())  // a replay
        pair.run()
        #expect(pair.serverOutputs.applicationData == [Array("hello".utf8)])
        #expect(pair.server.malformedDatagrams > 0)
    }
}

extension [DTLSSession.Output] {
    fileprivate var applicationData: [[UInt8]] {
        compactMap { if case .applicationData(let octets) = $0 { octets } else { nil } }
    }
}
