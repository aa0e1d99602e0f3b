// SPDX-License-Identifier: Apache-2.0

/** Sees to it that a controller that is told to end does end. */
package org.subflow.mptcp.southbound.shutdown;
