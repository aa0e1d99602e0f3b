// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

/** What the detection counts, one by one, under names that users see. */
public enum Counter {
    /** Segments given to the tracker. */
    SEGMENTS("segments"),
    /** Copies of segments with SYN, FIN or RST that switches forward themselves. */
    COPIES("segments.copies"),
    /** Packets cut off before the end of the TCP header, or whose lengths contradict each other. */
    SEGMENTS_TRUNCATED("segments.truncated"),
    /** Packets that are not TCP over IP. */
    SEGMENTS_NOT_TCP("segments.not-tcp"),
    /** Later fragments, without a TCP header. */
    SEGMENTS_FRAGMENT("segments.fragment"),
    /** Segments with flags that no TCP sends, as SYN and FIN together. */
    SEGMENTS_BAD_FLAGS("segments.bad-flags"),
    /** Segments whose source is their destination, or is no host's address. */
    SEGMENTS_BAD_ADDRESS("segments.bad-address"),
    /** Segments that came in where their source is not attached: forwarded, but without effect on any connection. */
    SPOOFED("spoofed"),
    /** Segments without rules that the controller did not forward, because there were too many of their connection. */
    RELAY_LIMIT("limit.relayed"),
    /** How often a service had so many new connections that all its packets went the plain way for a while. */
    BUSY_SERVICE("limit.services"),

    /** Segments with two VLAN tags: left to other applications. */
    IGNORED_VLAN("ignored.vlan"),
    /** Segments in frames to no host that ONOS knows: left to other applications. */
    IGNORED_UNKNOWN_HOST("ignored.unknown-host"),

    /** SYNs that began a handshake. */
    SYN("syn"),
    /** SYNs with MP_CAPABLE among them. */
    SYN_CAPABLE("syn.capable"),
    /** SYNs with MP_JOIN among them. */
    SYN_JOIN("syn.join"),
    /** SYNs of a handshake that is known already. */
    SYN_RETRANSMITTED("syn.retransmitted"),
    /** SYNs on a five-tuple in handshake or just established, with another sequence number: a further attempt. */
    SYN_REUSED("syn.reused"),

    /** SYN/ACKs that answered a SYN. */
    SYN_ACK("syn-ack"),
    /** SYN/ACKs again. */
    SYN_ACK_RETRANSMITTED("syn-ack.retransmitted"),
    /** SYN/ACKs to no SYN that is known. */
    SYN_ACK_UNSOLICITED("syn-ack.unsolicited"),

    /** Handshakes that ended by a reset. */
    HANDSHAKE_RESET("handshake.reset"),
    /** Resets outside the window of their handshake: without effect. */
    RESET_IGNORED("reset.ignored"),
    /** SYNs that got no answer in time. */
    TIMEOUT_SYN("timeout.syn"),
    /** SYN/ACKs that were not acknowledged in time. */
    TIMEOUT_SYN_ACK("timeout.syn-ack"),
    /** Handshakes forgotten before their SYN/ACK, because the table was full. */
    EVICTED_SYN("evicted.syn"),
    /** Handshakes forgotten after their SYN/ACK, because the table was full. */
    EVICTED_SYN_ACK("evicted.syn-ack"),
    /** Handshakes forgotten in favour of a younger one of the same source. */
    EVICTED_SOURCE_LIMIT("evicted.source-limit"),

    /** Plain TCP connections established; fallbacks included. */
    ESTABLISHED_PLAIN("established.plain"),
    /** Plain ones among them that began with an MPTCP option. */
    ESTABLISHED_FALLBACK("established.fallback"),
    /** MPTCP connections by SYN and SYN/ACK, counted as such, that a later segment has shown to be plain TCP. */
    ESTABLISHED_FELL_BACK("established.fell-back"),
    /** MPTCP connections and subflows left to plain forwarding because of where their hosts are attached. */
    ESTABLISHED_UNMANAGED("established.unmanaged"),
    /** MPTCP v0 connections established. */
    ESTABLISHED_CAPABLE_V0("established.capable-v0"),
    /** MPTCP v1 connections established. */
    ESTABLISHED_CAPABLE_V1("established.capable-v1"),
    /** Further subflows established. */
    ESTABLISHED_JOIN("established.join"),

    /** MP_CAPABLE third ACKs whose keys are not those of the handshake. */
    CAPABLE_KEY_MISMATCH("capable.key-mismatch"),
    /** SYN/ACKs with an MP_CAPABLE of another version than the SYN's, or that nobody asked for. */
    CAPABLE_NOT_OFFERED("capable.not-offered"),
    /** MP_JOIN SYNs with a token of no known connection. */
    JOIN_UNKNOWN_TOKEN("join.unknown-token"),
    /** MP_JOINs with a token that several connections have. */
    JOIN_AMBIGUOUS_TOKEN("join.ambiguous-token"),
    /** MP_JOINs whose keyed hash does not fit the keys. */
    JOIN_BAD_HMAC("join.bad-hmac"),
    /** MP_JOINs attributed by their token alone: a key is not known, so no keyed hash could be checked. */
    JOIN_UNCHECKED("join.unchecked"),
    /** MP_JOINs whose keyed hash was not checked, because their port had brought too many: they join nothing. */
    JOIN_LIMIT("limit.joins"),
    /** MP_JOINs of a listener attributed by the pair of hosts: the initiator's key is not known, so its token is not. */
    JOIN_BY_HOSTS("join.by-hosts"),
    /** Connections established with a token that another connection has on the same host. */
    TOKEN_DUPLICATE("token.duplicate"),

    /** Segments of connections just established: they overtook the rules. */
    OVERTAKING("overtaking"),
    /** Segments of connections whose handshake was not seen. */
    MIDSTREAM("midstream"),
    /** Such connections of which both directions were seen and fit together. */
    MIDSTREAM_CONFIRMED("midstream.confirmed"),

    /** Packets that came while too many waited to be tracked; dropped unless another application forwards them. */
    QUEUE_FULL("queue-full");

    private final String text;

    Counter(String text) {
        this.text = text;
    }

    /** Returns the name that users see. */
    public String text() {
        return text;
    }
}
