// SPDX-License-Identifier: Apache-2.0
/** Where headers are in Ethernet frames. For the application and for the southbound of the embedded ONOS, which has a copy inside. */
package org.subflow.mptcp.frame;
