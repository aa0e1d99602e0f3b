/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * What the congestion controls have in common: the programs that give them to subflows, and their view of a socket.
 *
 * choose: gives this congestion control to each MPTCP subflow whose ends are in the map.
 * leave:  gives those that have it the one that connections of this host begin with.
 *
 * A congestion control's name counts for the whole machine, network namespaces share it. So the loader writes a name of its own
 * into the object, in place of the one that is here; and the name of the one to go back to.
 */

#pragma once

#include "sockets.bpf.h"

#include <bpf/bpf_tracing.h>

#include "window.h"

#define TCP_CONGESTION 13
#define NAME_LENGTH 16
#ifndef OWN_LENGTH
#define OWN_LENGTH 4 /* the end of a name; what is before it, agents of this namespace have in common */
#endif

#define CONG_NON_RESTRICTED 1
#define CONG_NEEDS_ECN 2

#define CA_RECOVERY 3
#define CA_LOSS 4
#define INFINITE 0x7fffffffU

struct ack_sample {
	__s32 rtt_us;
} KERNEL;

struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	void (*set_state)(struct sock *sk, __u8 state);
	void (*cwnd_event)(struct sock *sk, int event);
	void (*in_ack_event)(struct sock *sk, __u32 flags);
	void (*pkts_acked)(struct sock *sk, const struct ack_sample *sample);
	__u32 (*undo_cwnd)(struct sock *sk);
	char name[NAME_LENGTH];
	__u32 flags;
	void (*init)(struct sock *sk);
	void (*release)(struct sock *sk);
} KERNEL;

/* Written by windows.py. */
const volatile char own_name[NAME_LENGTH] = "OWN.00000000000";
const volatile char other_name[NAME_LENGTH] = "OLD.00000000000";

static int give(struct bpf_iter__tcp *context, struct tcp_sock *tcp, struct ends *ends, const volatile char *from)
{
	struct outcome outcome = {};
	char name[NAME_LENGTH];

	for (int i = 0; i < NAME_LENGTH; i++)
		name[i] = from[i];
	outcome.error = bpf_setsockopt(tcp, SOL_TCP, TCP_CONGESTION, name, sizeof name);
	__builtin_memcpy(&outcome.ends, ends, sizeof *ends);
	return bpf_seq_write(context->meta->seq, &outcome, sizeof outcome);
}

/* Also one that another agent of this namespace has left behind. */
static int has_own(struct tcp_sock *tcp)
{
	char name[NAME_LENGTH] = {};
	const struct tcp_congestion_ops *ops = tcp->inet_conn.icsk_ca_ops;

	bpf_core_read(name, sizeof name, &ops->name);
	for (int i = 0; i + OWN_LENGTH < NAME_LENGTH; i++) {
		if (!own_name[i + OWN_LENGTH])
			return !name[i + OWN_LENGTH];
		if (name[i] != own_name[i])
			return 0;
	}
	return 1;
}

SEC("iter/tcp")
int choose(struct bpf_iter__tcp *context)
{
	struct ends ends;
	struct tcp_sock *tcp = find_subflow(context->sk_common, &ends);

	if (tcp && bpf_map_lookup_elem(&rates, &ends))
		give(context, tcp, &ends, own_name);
	return 0;
}

SEC("iter/tcp")
int leave(struct bpf_iter__tcp *context)
{
	struct ends ends;
	struct tcp_sock *tcp = find_subflow(context->sk_common, &ends);

	if (tcp && has_own(tcp))
		give(context, tcp, &ends, other_name);
	return 0;
}

static inline struct tcp_sock *tcp_of(struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

static inline void *state_of(struct sock *sk)
{
	return ((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

static inline int is_before(__u32 one, __u32 other)
{
	return (__s32)(one - other) < 0;
}

/* Slow start, as far as ssthresh; the packets that are left. */
static inline __u32 slow_start(struct tcp_sock *tcp, __u32 acked)
{
	__u32 window = tcp->snd_cwnd + acked;

	if (window > tcp->snd_ssthresh)
		window = tcp->snd_ssthresh;
	acked -= window - tcp->snd_cwnd;
	tcp->snd_cwnd = window;
	return acked;
}

static inline int is_window_full(struct tcp_sock *tcp)
{
	if (tcp->snd_cwnd < tcp->snd_ssthresh)
		return tcp->snd_cwnd < 2 * tcp->max_packets_out;
	return BPF_CORE_READ_BITFIELD(tcp, is_cwnd_limited);
}

/* For each acknowledgement. Under load, a threshold on Linux 6.18 was sometimes not what the program had returned, once half a pointer.
 * The cause is not known. Without this the window then becomes hundreds of millions of packets, and floods the network. */
static inline void mend_threshold(struct tcp_sock *tcp)
{
	__u32 half = at_least(at_most(tcp->prior_cwnd, MOST_WINDOW) / 2, LEAST_WINDOW);

	if (tcp->snd_ssthresh > MOST_WINDOW && tcp->snd_ssthresh != INFINITE)
		tcp->snd_ssthresh = half;
	if (tcp->snd_cwnd > MOST_WINDOW)
		tcp->snd_cwnd = half;
}

static inline __u32 before_loss(struct sock *sk)
{
	struct tcp_sock *tcp = tcp_of(sk);

	return at_least(tcp->snd_cwnd, tcp->prior_cwnd);
}
