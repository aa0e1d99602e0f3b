// SPDX-License-Identifier: Apache-2.0
/** The live stream: what has changed since the last message, to each listener at its pace. */
package org.subflow.mptcp.rest.live;
