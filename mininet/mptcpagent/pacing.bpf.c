// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * Two programs that walk the TCP sockets of the network namespace in which they are read (BPF iterators, Linux 5.15 and later).
 *
 * limit:   gives each socket whose ends are in the map its pacing rate.
 * release: takes the pacing rate away from every MPTCP subflow that has one. MPTCP sockets refuse SO_MAX_PACING_RATE, so
 *          nobody but this agent has set it.
 */

#include "sockets.bpf.h"

#define SO_MAX_PACING_RATE 47
#define TCP_NOTSENT_LOWAT 25

#define UNLIMITED 0xffffffffU

/* MPTCP gives each subflow data to keep. What waits there when a rate goes down holds up all that comes behind it on the other
 * subflows. So no more waits than is sent in a twentieth of a second, or this many bytes. */
#define UNSENT_PER_SECOND 20
#define LEAST_UNSENT 16384

static void pace(struct bpf_iter__tcp *context, struct tcp_sock *tcp, struct ends *ends, __u32 rate)
{
	struct outcome outcome = {};
	__u32 unsent = 0;

	if (rate != UNLIMITED) {
		unsent = rate / UNSENT_PER_SECOND;
		if (unsent < LEAST_UNSENT)
			unsent = LEAST_UNSENT;
	}
	outcome.error = bpf_setsockopt(tcp, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate);
	/* Kernels before 6.0 do not have it here; the rate holds without it. */
	bpf_setsockopt(tcp, SOL_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
	__builtin_memcpy(&outcome.ends, ends, sizeof *ends);
	bpf_seq_write(context->meta->seq, &outcome, sizeof outcome);
}

SEC("iter/tcp")
int limit(struct bpf_iter__tcp *context)
{
	struct ends ends;
	struct tcp_sock *tcp = find_subflow(context->sk_common, &ends);
	__u32 *rate = tcp ? bpf_map_lookup_elem(&rates, &ends) : 0;

	if (rate)
		pace(context, tcp, &ends, *rate);
	return 0;
}

SEC("iter/tcp")
int release(struct bpf_iter__tcp *context)
{
	struct ends ends;
	struct tcp_sock *tcp = find_subflow(context->sk_common, &ends);

	if (tcp && tcp->inet_conn.icsk_inet.sk.sk_max_pacing_rate != ~0UL)
		pace(context, tcp, &ends, UNLIMITED);
	return 0;
}
