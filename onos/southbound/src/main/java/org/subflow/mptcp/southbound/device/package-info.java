// SPDX-License-Identifier: Apache-2.0

/** Devices, their ports and the ports' counters. */
package org.subflow.mptcp.southbound.device;
