// SPDX-License-Identifier: Apache-2.0
/**
 * Connections that are known and have no rules: a connection earns its paths.
 *
 * <p>Most connections are short. A path costs a solver run, an intent and rules in every switch on it. So a connection gets
 * paths only after it has sent enough, or when a packet shows that it lives after a while ({@link
 * org.subflow.mptcp.candidate.Threshold}). Until then it is a {@link org.subflow.mptcp.candidate.Candidate} in the bounded
 * {@link org.subflow.mptcp.candidate.CandidateTable}, and its packets go the plain way. Further subflows that join it are remembered
 * with it. A candidate that ends is forgotten: the control loop never hears of it. When it is looked at depends on how long others of
 * its service live ({@link org.subflow.mptcp.candidate.FirstLooks}).
 *
 * <p>A connection that has had paths for its age alone, and has sent little, comes back here ({@link
 * org.subflow.mptcp.candidate.GivenBack}). Its traffic is counted anew, from the first packet that comes of each subflow.
 *
 * <p>Ends may go unseen ({@link org.subflow.mptcp.candidate.UnseenEnds}). There a candidate is forgotten after five seconds in which
 * its next packet would have come, and has not. Else a later connection with the same ports might be taken for it.
 *
 * <p>Plain TCP connections are candidates, too, where only rules of their own take their packets off the controller.
 *
 * <p>Everything here is confined to the tracking, so to one thread at a time, and takes the time as an argument.
 */
package org.subflow.mptcp.candidate;
