// SPDX-License-Identifier: Apache-2.0
/**
 * Moves live connections to better paths, make before break.
 *
 * <pre>
 *   PathReviews → Reoptimiser → MoveSearch → Provisioner
 *   (who)       (when)        (where to)
 * </pre>
 * A connection is examined when bandwidth has become free: a link has come back, a capacity has grown, or a sibling gave up
 * its path. It is also examined once when all demands are known after its start. The network must have been stable for a
 * while. When no single move gains any more, {@code MoveSearch} has a plan for all connections computed on another thread, and
 * its moves are made one after the other. Examinations take a bounded part of the control loop's time.
 *
 * <p>A live subflow leaves a working path only for one that is ready: {@link
 * org.subflow.mptcp.intent.SubflowPathInstaller} writes the rules in that order.
 */
package org.subflow.mptcp.reoptimisation;
