// SPDX-License-Identifier: Apache-2.0
/** What requests have in common: bodies, queries, lists, limits of a user, and how bad input is refused. */
package org.subflow.mptcp.rest.request;
