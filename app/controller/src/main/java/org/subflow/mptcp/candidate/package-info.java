// SPDX-License-Identifier: Apache-2.0
/**
 * Connections that are known and have no rules: a connection earns its paths.
 *
 * <p>Most connections are short. A path costs a solver run, an intent and rules in every switch on it. So a connection gets
 * paths only after it has lived or sent enough ({@link org.subflow.mptcp.candidate.Threshold}). Until then it is a {@link
 * org.subflow.mptcp.candidate.Candidate} in the bounded {@link org.subflow.mptcp.candidate.CandidateTable}, and its packets
 * go the plain way. Further subflows that join it are remembered with it. A candidate that ends is forgotten: the control
 * loop never hears of it.
 *
 * <p>Plain TCP connections are candidates, too, where only rules of their own take their packets off the controller.
 *
 * <p>Everything here is confined to the tracking thread and takes the time as an argument.
 */
package org.subflow.mptcp.candidate;
