// SPDX-License-Identifier: Apache-2.0

/** The storage node of a cluster of embedded ONOS nodes: a program of its own, outside Karaf. */
package org.subflow.mptcp.southbound.storage;
