// SPDX-License-Identifier: Apache-2.0

/**
 * TCP option kind 30 of MPTCP, versions 0 (RFC 6824) and 1 (RFC 8684): values, parser, encoder. No state, no ONOS.
 *
 * <p>{@link org.subflow.mptcp.segment.option.MptcpOptionParser} takes the options of a TCP header and its flags and gives
 * {@link org.subflow.mptcp.segment.option.MptcpOptions}: the well-formed options, and for each of the others a
 * {@link org.subflow.mptcp.segment.option.MalformedReason}. It throws on no input. The lengths that it accepts:
 *
 * <pre>
 * subtype        SYN               SYN/ACK   other segments
 * MP_CAPABLE     v0 12, v1 4       12        20; v1 with data 22, with checksum 24
 * MP_JOIN        12                16        24
 * DSS            -                 -         4 + ack (0, 4, 8) + mapping (0, 10, 14; checksum 2 more)
 * ADD_ADDR       -                 -         v0 and v1 echo: 8, 10, 20, 22; v1: 16, 18, 28, 30
 * REMOVE_ADDR    -                 -         4 and more
 * MP_PRIO        -                 -         3; v0 also 4
 * MP_FAIL        -                 -         12
 * MP_FASTCLOSE   -                 -         12
 * MP_TCPRST      -                 -         4
 * 0x9 to 0xf     3 and more        3 and more  3 and more
 * </pre>
 *
 * <p>Segments with RST or FIN count as "other". {@link org.subflow.mptcp.segment.option.MptcpOptionEncoder} is the way
 * back: for every option on a segment where it belongs, parsing what was encoded gives the option again.
 */
package org.subflow.mptcp.segment.option;
