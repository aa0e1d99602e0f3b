// SPDX-License-Identifier: Apache-2.0
/**
 * Our values as bytes: the forms in which ONOS's maps keep them, each with a number, and the messages between nodes of a cluster.
 */
package org.subflow.mptcp.wire;
