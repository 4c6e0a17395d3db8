/// What went over one transport so far. Counts only grow.
package struct TransportStatistics: Equatable, Sendable {
    /// Datagrams and their octets, without STUN, which libnice keeps to itself.
    package var datagramsReceived = 0
    package var octetsReceived = 0
    package var datagramsSent = 0
    package var octetsSent = 0
    /// Media packets that could not be decrypted, by reason.
    package var srtp = SRTPContext.Counts()
    /// Media packets that came before there were keys, beyond those that could be kept.
    package var earlyPackets = 0
    /// Datagrams that are neither DTLS nor RTP nor RTCP, or DTLS cut short.
    package var malformedDatagrams = 0
    /// Candidates of the peer that were not tried.
    package var skippedCandidates = 0
    package var dataChannels = SCTPAssociation.Counts()
    /// Octets that the kernel keeps for us while the loop is busy.
    package var receiveBuffer = 0

    package init() {}
}
