import EventLoop
import Glibc
import MediaTypes
import Testing

@testable import Transport

extension SCTPTests {
    @Suite(.timeLimit(.minutes(1))) struct BundleTransportTests {
        private func packet(_ number: UInt8) -> [UInt8] { [0x80, 96, 0, number, 0, 0, 0, 1, 0, 0, 0, 7, 1, 2, 3] }

        private var loopback: ICEConfiguration {
            var configuration = ICEConfiguration()
            configuration.includesLoopback = true
            return configuration
        }

        private func duet(
            passes: @escaping @Sendable (String) -> Bool = { _ in true },
            _ body: (TransportDuet) async throws -> Void
        ) async throws {
            let loop = LoopExecutor(name: "test-loop")
            let duet = TransportDuet(loop, passes: passes)
            do {
                try await body(duet)
            } catch {
                await duet.finish()
                loop.stop()
                throw error
            }
            await duet.finish()
            loop.stop()
        }

        @Test func mediaReportsAndMessagesPassOverLoopback() async throws {
            try await duet(passes: { $0.contains(" 127.0.0.1 ") }) { duet in
                try await duet.start(offerer: loopback, answerer: loopback)
                let begin = await duet.wait(for: .connected(.offerer), .connected(.answerer))
                #expect(
                    begin.contains {
                        if case .candidate(.answerer, let line) = $0 { line.contains("127.0.0.1") } else { false }
                    })
                await duet.open("chat", from: .answerer)
                _ = await duet.wait(for: .opened(.offerer, "chat"), .opened(.answerer, "chat"))
                await duet.send("hello", on: "chat", from: .offerer)
                _ = await duet.wait(for: .message(.answerer, "chat", Array("hello".utf8), isText: true))
                for number: UInt8 in 0..<20 { await duet.send(rtp: packet(number), from: .offerer) }
                let received = await duet.wait(for: .rtp(.answerer, packet(19)))
                #expect(received.count { if case .rtp = $0 { true } else { false } } == 20)
                let report: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 9]
                await duet.send(rtcp: report, from: .answerer)
                _ = await duet.wait(for: .rtcp(.offerer, report))
                let statistics = try #require(await duet.statistics(.answerer))
                #expect(statistics.srtp == SRTPContext.Counts())
                #expect(statistics.receiveBuffer >= 212_992)
                #expect(statistics.octetsReceived > 20 * 31)
                await duet.close(.answerer)
                _ = await duet.wait(for: .closedByPeer(.offerer))
            }
        }

        @Test(.enabled(if: hasIPv6Loopback)) func iPv6Works() async throws {
            try await duet(passes: { $0.contains(" ::1 ") }) { duet in
                try await duet.start(offerer: loopback, answerer: loopback)
                _ = await duet.wait(for: .connected(.offerer), .connected(.answerer))
                await duet.send(rtp: packet(1), from: .offerer)
                _ = await duet.wait(for: .rtp(.answerer, packet(1)))
            }
        }

        @Test func portsStayInTheirRange() async throws {
            var configuration = loopback
            let lowest = UInt16.random(in: 40_000..<60_000)
            configuration.ports = lowest...(lowest + 20)
            try await duet { [configuration] duet in
                try await duet.start(offerer: configuration, answerer: loopback)
                let seen = await duet.wait(for: .connected(.offerer), .connected(.answerer))
                let ports = seen.compactMap { note -> UInt16? in
                    guard case .candidate(.offerer, let line) = note else { return nil }
                    return UInt16(line.split(separator: " ")[5])
                }
                #expect(!ports.isEmpty)
                #expect(ports.allSatisfy { (lowest...(lowest + 20)).contains($0) })
            }
        }

        @Test func strayDatagramsAreCountedAndHarmNothing() async throws {
            try await duet { duet in
                try await duet.start(offerer: loopback, answerer: loopback)
                _ = await duet.wait(for: .connected(.offerer), .connected(.answerer))
                let strays: [[UInt8]] = [
                    [0xff], [0x7f, 1], [0x16, 0xfe, 0xfd], [0x17] + [UInt8](repeating: 0xff, count: 40), [0x80, 96],
                    [0x80, 200, 0, 1], packet(9), [0x80, 201, 0, 1, 0, 0, 0, 9] + [UInt8](repeating: 3, count: 20),
                    [UInt8](repeating: 0x45, count: 1200),
                ]
                for stray in strays { await duet.send(raw: stray, from: .offerer) }
                await duet.send(rtp: packet(1), from: .offerer)
                _ = await duet.wait(for: .rtp(.answerer, packet(1)))
                let statistics = try #require(await duet.statistics(.answerer))
                #expect(statistics.malformedDatagrams == 5)
                #expect(statistics.srtp.unauthentic + statistics.srtp.malformed + statistics.srtp.other == 4)
            }
        }

        @Test func aStrangerIsRefusedAndToldSo() async throws {
            try await duet { duet in
                try await duet.start(offerer: loopback, answerer: loopback, isTrusted: false)
                let seen = await duet.wait(for: .failed(.answerer, .dtls(.fingerprintMismatch)))
                #expect(!seen.contains(.connected(.answerer)))
                #expect(!seen.contains(.connected(.offerer)))
            }
        }

        @Test func withoutAWayItFailsInTime() async throws {
            try await duet(passes: { _ in false }) { duet in
                try await duet.start(offerer: loopback, answerer: loopback, iceTimeout: .milliseconds(300))
                _ = await duet.wait(for: .failed(.answerer, .noPath(after: .milliseconds(300))))
            }
        }

        @Test func mediaSurvivesARestartOfICE() async throws {
            try await duet { duet in
                try await duet.start(offerer: loopback, answerer: loopback)
                _ = await duet.wait(for: .connected(.offerer), .connected(.answerer))
                let before = await duet.credentials(.answerer)
                await duet.restartICE()
                #expect(await duet.credentials(.answerer) != before)
                for number: UInt8 in 0..<200 {
                    await duet.send(rtp: packet(number), from: .offerer)
                }
                _ = await duet.wait(for: .rtp(.answerer, packet(199)))
            }
        }

        @Test(arguments: ["udp", "tcp"])
        func onlyRelayedPairsConnectOverTURN(transport: String) async throws {
            let server = try TURNServer()
            defer { server.stop() }
            var configuration = loopback
            configuration.relayOnly = true
            configuration.servers = [
                try #require(
                    ICEServer(
                        url: "turn:127.0.0.1:\(server.port)?transport=\(transport)", username: "u", password: "p"))
            ]
            try await duet { [configuration] duet in
                try await duet.start(offerer: configuration, answerer: configuration)
                let seen = await duet.wait(for: .connected(.offerer), .connected(.answerer))
                for case .candidate(_, let line) in seen { #expect(line.contains("typ relay")) }
                await duet.open("chat", from: .answerer)
                await duet.send("through the relay", on: "chat", from: .answerer)
                _ = await duet.wait(for: .message(.offerer, "chat", Array("through the relay".utf8), isText: true))
                await duet.send(rtp: packet(1), from: .offerer)
                _ = await duet.wait(for: .rtp(.answerer, packet(1)))
            }
        }
    }
}

/// Containers are often without.
private let hasIPv6Loopback: Bool = {
    let descriptor = socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
        }
    }
}()
