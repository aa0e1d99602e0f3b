// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * S-MPTCP's window (Algorithm 5) over BALIA, as the paper has it; the agent's is over Reno. Both parts are the agent's: growth of
 * BALIA is divided by the factor of S-MPTCP, whose alert and end of slow start come to it. A loss takes what BALIA's takes.
 */

#include "coupled.h"
#include "siblings.bpf.h"

/* Both keep their state in the same room of a socket: S-MPTCP's comes behind BALIA's. */
#define BEHIND 40

static inline void *behind(struct sock *sk)
{
	return (char *)state_of(sk) + BEHIND;
}

#define window smptcp_window
#define control smptcp_control
#define state_of behind
#include "smptcp.bpf.c"
#undef window
#undef control
#undef state_of

#define control balia_control
#include "balia.bpf.c"
#undef control

_Static_assert(sizeof(struct window) <= BEHIND, "BALIA's state ends before S-MPTCP's");
_Static_assert(BEHIND + sizeof(struct smptcp_window) <= sizeof(((struct inet_connection_sock *)0)->icsk_ca_priv), "there is room");

static void init(struct sock *sk)
{
	coupled_init(sk);
	smptcp_init(sk);
}

static void acked(struct sock *sk, const struct ack_sample *sample)
{
	coupled_acked(sk, sample);
	smptcp_acked(sk, sample);
}

static void grow(struct sock *sk, __u32 ack, __u32 packets)
{
	struct smptcp_window *limits = behind(sk);
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);
	__s64 before = window->credit;
	__u32 cwnd = tcp->snd_cwnd;

	if (cwnd < tcp->snd_ssthresh) {
		if (limits->expected && limits->least_us != INFINITE
		    && rate_of(cwnd, tcp->mss_cache, limits->least_us) >= limits->expected)
			shrink(tcp, cwnd);
		coupled_grow(sk, ack, packets);
		return;
	}
	/* What BALIA adds, with its remainder, is divided. */
	coupled_grow(sk, ack, packets);
	window->credit = before + (((__s64)(tcp->snd_cwnd - cwnd) << 32) + window->credit - before) / limits->factor;
	tcp->snd_cwnd = cwnd;
	if (window->credit >= (__s64)PACKET) {
		tcp->snd_cwnd = cwnd + (__u32)(window->credit >> 32);
		window->credit &= PACKET - 1;
	}
}

struct tcp_congestion_ops control = {
	.init = init,
	.release = coupled_release,
	.pkts_acked = acked,
	.in_ack_event = smptcp_ack,
	.cong_avoid = grow,
	.ssthresh = coupled_threshold,
	.set_state = coupled_state,
	.undo_cwnd = coupled_undo,
	.flags = CONG_NON_RESTRICTED,
};
