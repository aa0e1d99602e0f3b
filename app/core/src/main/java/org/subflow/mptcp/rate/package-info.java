// SPDX-License-Identifier: Apache-2.0

/** How much of something may happen in a second. */
package org.subflow.mptcp.rate;
