// SPDX-License-Identifier: Apache-2.0
/** The JSON forms of our values, and of all that the page shows. All rates are Mbit/s. */
package org.subflow.mptcp.rest.view;
