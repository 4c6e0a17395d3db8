import EventLoop
import MediaTypes
import RTP
import Reception
import SDP

/// How a peer connection is made, whoever the peer is.
package struct PeerConfiguration: Sendable {
    package var iceServers: [ICEServer] = []
    /// Only by way of TURN.
    package var relayOnly = false
    /// Use this machine's own addresses too. Done unasked when the peer or a server is on this machine.
    package var allowLoopback = false
    /// UDP ports to use; any when nil.
    package var ports: ClosedRange<UInt16>?
    /// How long a missing packet is waited for.
    package var patience = Duration.seconds(2)
    /// Ask for lost audio packets even though the offer does not say that they can be asked for.
    package var requestsAudioUnoffered = false
    /// Added to the round trip time that the peer finds in our reports, where that decides for how long it can repeat packets.
    package var reportedDelay: Duration?
    package var iceTimeout = Duration.seconds(15)
    package var dtlsTimeout = Duration.seconds(10)
    /// Our canonical name in RTCP; one made up for the connection when nil (RFC 7022).
    package var cname: String?

    package init() {}

    /// What the transport needs to know when the peer has described itself.
    func transport(to remote: RemoteTransport, credentials: ICECredentials) -> BundleTransport.Configuration {
        var transport = BundleTransport.Configuration()
        transport.ice.servers = iceServers
        transport.ice.relayOnly = relayOnly
        transport.ice.includesLoopback =
            allowLoopback || iceServers.contains(where: \.isLoopback)
            || remote.candidates.compactMap(ICECandidateLine.init).contains { isLoopbackAddress($0.address) }
        transport.ice.ports = ports
        // We answer, so the peer decides; unless it is lite and cannot (RFC 8445 section 6.1.1).
        transport.ice.isControlling = remote.isICELite
        transport.ice.credentials = credentials
        transport.role = .client  // our answers say `setup:active`
        transport.fingerprints = remote.fingerprints.compactMap(CertificateFingerprint.init)
        transport.iceTimeout = iceTimeout
        transport.dtlsTimeout = dtlsTimeout
        return transport
    }
}

/// Letters and digits that nobody can guess, six bits each, all of them allowed in ICE names (RFC 8839 section 5.4).
func randomToken(length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    return String((0..<length).map { _ in alphabet[Int.random(in: 0..<64)] })
}

extension ReportedDelay {
    init(_ duration: Duration) {
        /// From 1900 to 1970 (RFC 5905 section 6).
        let epoch: Int64 = 2_208_988_800_000_000_000
        self.init(
            duration, start: HostClock.now(),
            wall: NTPTime(nanoseconds: HostClock.wallTime().microseconds * 1000 + epoch))
    }
}
