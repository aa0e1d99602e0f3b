// SPDX-License-Identifier: Apache-2.0
/** How values are written in tables, and read from the command line. */
package org.subflow.mptcp.cli.text;
