// SPDX-License-Identifier: Apache-2.0
/**
 * TCP segments that come to the controller: which ones, from where, and what they say.
 *
 * <pre>
 * packet --{@link org.subflow.mptcp.segment.PacketInterceptor}--&gt; {@link org.subflow.mptcp.segment.SegmentReader}
 *        --{@link org.subflow.mptcp.segment.SourceCheck}--&gt; {@link org.subflow.mptcp.segment.SegmentTracking}
 * </pre>
 *
 * <p>Two kinds of switches show segments. Some copy those with SYN, FIN or RST ({@link org.subflow.mptcp.segment.FlagCopies},
 * {@link org.subflow.mptcp.segment.FlaggedSegments}) and forward them all the same. At the others a rule brings TCP to the
 * controller ({@link org.subflow.mptcp.segment.WatchRules}), which forwards it by packet-out, as far as
 * {@link org.subflow.mptcp.segment.Allowances} go.
 *
 * <p>{@link org.subflow.mptcp.segment.SourceCheck} sorts out what does not come from its source's port. Such packets are forwarded
 * and counted, and nothing else. {@code segment.option} reads the MPTCP options. Counters of everything, malformed options by
 * reason, are in {@link org.subflow.mptcp.segment.DetectCounters}.
 *
 * <p>What becomes of the segments others decide: {@code handshake} implements {@link org.subflow.mptcp.segment.SegmentTracking}
 * and {@link org.subflow.mptcp.segment.PacketOwner}.
 */
package org.subflow.mptcp.segment;
