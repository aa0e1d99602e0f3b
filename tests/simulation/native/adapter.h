/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * What the simulator and a congestion control tell each other. The control is one of the agent's BPF programs, compiled for this
 * machine; neither side knows the other's types.
 */

#pragma once

#include <stdint.h>

enum { CONTROL_INIT, CONTROL_ACK_EVENT, CONTROL_ACKED, CONTROL_GROW, CONTROL_THRESHOLD, CONTROL_STATE, CONTROL_RELEASE };

/* A subflow, as in the kernel's struct tcp_sock. Both last windows may be changed by a call. */
struct simulated {
	uint32_t mss, prior_cwnd, max_packets_out, snd_nxt, snd_una, delivered, delivered_ce, srtt_us8, is_cwnd_limited;
	uint32_t cwnd, ssthresh;
	uint64_t now_us;
};

struct simulated_control {
	/* Whether it goes by marks, so that connections ask for them. */
	int (*needs_marks)(void);
	/* A new subflow of that connection. Ends in network order; port in the host's; expected: bytes per second, 0 if nobody says. */
	void *(*make)(void *connection, uint32_t from, uint32_t to, uint16_t port, uint32_t expected);
	/* x: CONTROL_ACKED microseconds, CONTROL_GROW packets, CONTROL_STATE the state. Returns the threshold, else 0. */
	uint32_t (*call)(void *subflow, int what, struct simulated *now, uint32_t x);
	void (*end)(void *subflow);
};
