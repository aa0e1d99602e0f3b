// SPDX-License-Identifier: Apache-2.0

/**
 * Follows TCP and MPTCP handshakes: state machines that tell which connections start. All but {@link
 * org.subflow.mptcp.handshake.Tracking} is pure: no ONOS service, no clock, no thread; segments and the time come as arguments,
 * decisions go back.
 *
 * <h2>The way of a packet</h2>
 *
 * <pre>
 * {@link org.subflow.mptcp.segment.Segment}
 *       --{@link org.subflow.mptcp.handshake.HandshakeTracker}--&gt; {@link org.subflow.mptcp.handshake.Decision}
 *       with a {@link org.subflow.mptcp.handshake.HandshakeEvent} if the segment completed a handshake
 * </pre>
 *
 * <p>A five-tuple is one between two hosts of the fabric, which the frame names by MAC address and VLAN. So a handshake that
 * crosses a router is seen twice, once for each leg, and each is a connection of its own.
 *
 * <p>Events reach the {@link org.subflow.mptcp.token.TokenDirectory} before the next segment is processed, if possible. A join
 * that comes earlier is still attributed: the tracker asks the directory again when the join completes.
 *
 * <h2>States of a handshake</h2>
 *
 * <pre>
 *            SYN                SYN/ACK that                 ACK or data of the initiator, or data of
 *                               acknowledges it              the listener, inside the window
 *  (none) --------&gt; SYN ----------------------&gt; SYN_ACK ------------------------------------&gt; event, recent
 *                    |  ^                         |   ^                                             |
 *                    |  +- SYN again:             |   +- SYN/ACK again; third ACK with wrong keys   |
 *                    |     counted, forwarded     |      or hash: counted, forwarded, still waiting |
 *                    v                            v                                                 v
 *        RST in the window, time-out (10 s; 30 s), eviction: forgotten                       3 s: forgotten
 * </pre>
 *
 * <p>A handshake is kept under the five-tuple of its SYN. A SYN of the opposite direction is a handshake of its own: so
 * nobody can turn one round by forging, and a simultaneous open is two that answer each other (it ends as plain TCP).
 * A SYN with another sequence number on a five-tuple in handshake is a further attempt beside the first; on one just
 * established it is a new handshake, and the established connection stays what it is unless that one completes too.
 *
 * <p>What the event is:
 *
 * <pre>
 * SYN          SYN/ACK             then                                    event
 * no option    any                 ACK                                     plain NOT_OFFERED
 * MP_CAPABLE   none, other version ACK                                     plain REFUSED
 * MP_CAPABLE   MP_CAPABLE          MP_CAPABLE with the keys                capable, both tokens
 *                                  DSS, ADD_ADDR, … (third ACK missed)     capable; v1: listener's token alone
 *                                  neither                                 plain LOST
 * MP_JOIN      none                ACK                                     plain REFUSED
 * MP_JOIN      MP_JOIN             MP_JOIN, or DSS …; token known, hash right   join
 *                                  the same, token unknown                 plain UNKNOWN_TOKEN
 *                                  the same, hash of the SYN/ACK wrong     plain BAD_HMAC
 *                                  the same, too many hashes of its port   plain UNCHECKED
 *                                  MP_JOIN with a wrong hash               none: waits for a right one
 *                                  data without option                     plain LOST
 * </pre>
 *
 * <p>A malformed option counts as none; so do all of several of one subtype, and MP_CAPABLE beside MP_JOIN. At worst an
 * MPTCP connection is then carried as a plain one, on one path. A plain event never refers to an MPTCP connection, so
 * no bad input makes a second one.
 *
 * <p>Tokens: a token belongs to one host of a connection, and the other host's MP_JOINs carry it. So a client's join has
 * the server's token, a server's the client's, and {@link org.subflow.mptcp.token.TokenOwner} says which. If several
 * connections have one token, the keyed hashes decide; without keys, the connection whose host is joined at the
 * address that it was opened with, and then the oldest: a later connection cannot take another one's joins.
 *
 * <h2>Copies</h2>
 *
 * <p>Some switches copy segments with SYN, FIN or RST and forward them all the same ({@link
 * org.subflow.mptcp.segment.FlagCopies}). No other segment comes from these, so the SYN/ACK decides: MP_CAPABLE opens a
 * connection that may be half-open, MP_JOIN joins one. A v1 initiator's key is in the third segment. Without it no keyed hash
 * can be checked ({@code join.unchecked}), and a listener's joins are attributed by the pair of hosts ({@code
 * join.by-hosts}). Copies of several switches come in any order, so early ones wait for a moment.
 *
 * <p>Nor does the third segment show there whether it has MP_CAPABLE. The next packet that is asked for does: without an MPTCP
 * option, it makes the connection plain TCP ({@code established.fell-back}; RFC 8684, section 3.7).
 *
 * <h2>Connections without a handshake</h2>
 *
 * <p>The application may start in the middle of a transfer, and rules time out on idle connections. A segment of such a
 * connection is {@code UNKNOWN_MIDSTREAM}; it is confirmed once segments of both directions fit together. Rules for
 * unconfirmed ones would let anybody fill flow tables with forged segments.
 *
 * <h2>Bounds</h2>
 *
 * <p>{@link org.subflow.mptcp.handshake.TrackerLimits} has all of them. What only copies show may be half-open. A third ACK must
 * name sequence numbers of both hosts. Counters of everything, malformed options by reason, are in
 * {@link org.subflow.mptcp.segment.DetectCounters}.
 */
package org.subflow.mptcp.handshake;
