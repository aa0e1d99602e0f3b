// SPDX-License-Identifier: Apache-2.0
/**
 * The intents of connections, and the rules that ONOS makes of them.
 *
 * <p>One {@link org.subflow.mptcp.intent.MptcpIntent} per connection has the chosen route of each of its subflows. {@link
 * org.subflow.mptcp.intent.MptcpIntentCompiler} compiles each route into two {@link
 * org.subflow.mptcp.intent.SubflowPathIntent}s, one per direction. Their rules match the exact five-tuple. {@link
 * org.subflow.mptcp.intent.SubflowPathInstaller} writes them: where a subflow leaves a path that works, new rules before changed
 * ones. So it moves to another path make before break.
 *
 * <p>Subflows on the same path can share its rules. The first switch writes a label into the destination MAC address, and the
 * further ones match it. The last one writes the host's address back ({@link org.subflow.mptcp.intent.LabelledPath}). A label
 * depends on nothing but the path. Rules with labels have a greater priority than exact ones, so a packet with a label meets no
 * exact rule, also while exact rules of its subflow on an earlier path are there.
 *
 * <p>Nothing here chooses a path or a rate, or keeps a state.
 */
package org.subflow.mptcp.intent;
