// SPDX-License-Identifier: Apache-2.0

/**
 * Translation between ONOS's flow rules and OpenFlow 1.3 messages.
 *
 * <p>What a switch reports about a rule must come back exactly as the rule that was sent: ONOS compares selector and
 * treatment, and takes any difference for a foreign rule, which it removes. So each encoder has a decoder that is its
 * inverse, and what a decoder does not know is an {@link
 * org.subflow.mptcp.southbound.codec.UnsupportedRuleException}, never a rule with something left out.
 *
 * <p>ONOS's table 0 is the switch's table 1, and so on: the switch's table 0 is the southbound's own ({@link
 * org.subflow.mptcp.southbound.FirstTable}).
 */
package org.subflow.mptcp.southbound.codec;
