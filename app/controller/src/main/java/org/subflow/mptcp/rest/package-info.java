// SPDX-License-Identifier: Apache-2.0
/**
 * REST under {@code /onos/v1/mptcp}, behind ONOS's login, and the JSON forms of our values. All rates in JSON are Mbit/s.
 */
package org.subflow.mptcp.rest;
