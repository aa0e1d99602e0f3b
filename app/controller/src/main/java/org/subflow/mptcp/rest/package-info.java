// SPDX-License-Identifier: Apache-2.0
/**
 * REST under {@code /onos/v1/mptcp}, behind ONOS's login: the application and its Swagger document. Resources are in {@code
 * resource}, JSON forms in {@code view}, the live stream in {@code live}, reports of agents in {@code report}. All rates in JSON are
 * Mbit/s.
 */
package org.subflow.mptcp.rest;
