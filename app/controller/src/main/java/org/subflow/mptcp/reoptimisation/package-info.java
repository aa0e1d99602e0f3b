// SPDX-License-Identifier: Apache-2.0
/**
 * Better paths for the living, without a gap.
 *
 * <pre>
 *   Newcomers → Reoptimiser → BetterConnectionPaths → Handover → Provisioner
 *   (who)       (when)        (where to)              (make before break)
 * </pre>
 * A connection is looked at when more is to be had (a link has come back, a capacity has grown, a sibling gave up its path), and
 * once after it began, when everybody's demand is known. The network must have kept still for a while. Looks take a bounded
 * part of the control loop's time.
 *
 * <p>A living subflow leaves a path that works only for one that is ready: new rules are in the switches before packets take
 * them, and old ones stay until the last packets have passed.
 */
package org.subflow.mptcp.reoptimisation;
