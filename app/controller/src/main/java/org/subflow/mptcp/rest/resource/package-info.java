// SPDX-License-Identifier: Apache-2.0
/** One class per resource below {@code /onos/v1/mptcp}: what it answers, and to which methods. */
package org.subflow.mptcp.rest.resource;
