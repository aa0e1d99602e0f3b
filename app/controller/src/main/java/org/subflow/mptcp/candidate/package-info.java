// SPDX-License-Identifier: Apache-2.0
/**
 * Elephant detection: connections that are known and have no rules, and when they get some.
 *
 * <p>Most connections are short. A path costs a solver run, an intent and rules in every switch on it. So a connection gets
 * paths only after it has sent enough, or when a packet shows that it lives after a while ({@link
 * org.subflow.mptcp.candidate.Threshold}). Until then it is a {@link org.subflow.mptcp.candidate.Candidate} in the bounded
 * {@link org.subflow.mptcp.candidate.CandidateTable}, and its packets go the plain way. Further subflows that join it are remembered
 * with it. A candidate that ends is forgotten: the control loop never hears of it.
 *
 * <p>Where its packets do not come by themselves, a candidate is probed ({@link org.subflow.mptcp.candidate.Probes}): its next packet is
 * asked for. One packet tells three things that age alone does not: the handshake is complete, the connection is MPTCP and lives,
 * and, by its sequence numbers, how much both hosts have sent. Age alone would give paths to each half-open connection of a flood,
 * and to each connection whose end went unseen.
 *
 * <p>Ends may go unseen ({@link org.subflow.mptcp.candidate.UnseenEnds}). There a candidate is forgotten after five seconds in which
 * its next packet would have come, and has not. Else a later connection with the same ports might be taken for it.
 *
 * <p>Plain TCP connections are candidates, too, where only rules of their own take their packets off the controller.
 *
 * <p>Everything here is confined to the tracking, so to one thread at a time, and takes the time as an argument.
 */
package org.subflow.mptcp.candidate;
