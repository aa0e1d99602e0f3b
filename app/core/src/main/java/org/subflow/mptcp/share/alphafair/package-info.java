// SPDX-License-Identifier: Apache-2.0
/**
 * α-fair totals by prices alone, nearly, in time that grows with the size of a problem: α = 1 is proportional fairness, and a large α
 * is near max-min fairness (J. Mo, J. Walrand, "Fair end-to-end window-based congestion control", 2000). For answers in bounded work.
 */
package org.subflow.mptcp.share.alphafair;
