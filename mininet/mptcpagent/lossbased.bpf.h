/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * A coupled congestion control that goes by losses. It is included after two functions that make it what it is:
 *
 * growth: for each acknowledged packet, in packets with 32 binary places; it may be negative. From own place and all members.
 * left:   the window after a loss, packets, of the one before it.
 *
 * The rest is Reno: slow start for each subflow alone (RFC 6356, section 3), fast recovery by the kernel. Without siblings, as in a
 * connection that has fallen back to TCP, growth is Reno's, too. A test compiles both functions for user space. PART_OF_ANOTHER:
 * there is no control of its own, for one that is added to it.
 */

#pragma once

#ifdef __bpf__

#include "siblings.bpf.h"

struct coupled {
	struct place place;
	__s64 credit;          /* growth that is less than a packet, 32 binary places */
	__u32 lost_at;         /* packets delivered until the last loss, */
	__u32 lost_before_at;  /* and until the one before */
};

/* The members of the connection, which know of this subflow what it now is; NULL if there are none. */
static struct member *told(struct sock *sk, struct coupled *coupled)
{
	struct member *members = siblings_of(&coupled->place);
	__u32 own = index_of(&coupled->place);

	if (!members)
		return NULL;
	tell(sk, &coupled->place, members);
	members[own].between = at_least(tcp_of(sk)->delivered - coupled->lost_at, coupled->lost_at - coupled->lost_before_at);
	return members[own].window ? members : NULL;
}

static inline void coupled_begin(struct sock *sk, struct coupled *coupled)
{
	coupled->credit = 0;
	coupled->lost_at = coupled->lost_before_at = tcp_of(sk)->delivered;
	join(sk, &coupled->place);
}

/* In packets with 32 binary places, for so many acknowledged ones. */
static inline __s64 coupled_growth(struct sock *sk, struct coupled *coupled, __u32 acked)
{
	struct member *members = told(sk, coupled);

	return (members ? growth(members, index_of(&coupled->place)) : (__s64)reno_growth(tcp_of(sk)->snd_cwnd)) * acked;
}

static inline void coupled_grow_by(struct tcp_sock *tcp, struct coupled *coupled, __s64 more)
{
	coupled->credit += more;
	if (coupled->credit >= (__s64)PACKET) {
		tcp->snd_cwnd = tcp->snd_cwnd + (__u32)(coupled->credit >> 32);
		coupled->credit &= PACKET - 1;
	} else if (coupled->credit <= -(__s64)PACKET) {
		tcp->snd_cwnd = at_least(tcp->snd_cwnd - 1, LEAST_WINDOW);
		coupled->credit += PACKET;
	}
}

/* The window after a loss. The kernel asks once for all losses of a round. */
static inline __u32 coupled_left(struct sock *sk, struct coupled *coupled)
{
	struct tcp_sock *tcp = tcp_of(sk);
	struct member *members = told(sk, coupled);
	__u32 packets = tcp->snd_cwnd;

	coupled->lost_before_at = coupled->lost_at;
	coupled->lost_at = tcp->delivered;
	coupled->credit = 0;
	packets = members ? left(packets, members, index_of(&coupled->place)) : packets / 2;
	return at_least(packets, LEAST_WINDOW);
}

#ifndef PART_OF_ANOTHER

_Static_assert(sizeof(struct coupled) <= sizeof(((struct inet_connection_sock *)0)->icsk_ca_priv), "the kernel has room for it");

SEC("struct_ops/coupled_init")
void BPF_PROG(coupled_init, struct sock *sk)
{
	coupled_begin(sk, state_of(sk));
}

SEC("struct_ops/coupled_release")
void BPF_PROG(coupled_release, struct sock *sk)
{
	struct coupled *coupled = state_of(sk);

	leave_place(&coupled->place);
}

/* Also while a loss is mended, when the window does not grow. */
SEC("struct_ops/coupled_acked")
void BPF_PROG(coupled_acked, struct sock *sk, const struct ack_sample *sample)
{
	mend_threshold(tcp_of(sk));
	told(sk, state_of(sk));
}

SEC("struct_ops/coupled_grow")
void BPF_PROG(coupled_grow, struct sock *sk, __u32 ack, __u32 acked)
{
	struct coupled *coupled = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);

	if (!is_window_full(tcp))
		return;
	if (tcp->snd_cwnd < tcp->snd_ssthresh)
		acked = slow_start(tcp, acked);
	if (acked)
		coupled_grow_by(tcp, coupled, coupled_growth(sk, coupled, acked));
}

SEC("struct_ops/coupled_threshold")
__u32 BPF_PROG(coupled_threshold, struct sock *sk)
{
	return coupled_left(sk, state_of(sk));
}

SEC("struct_ops/coupled_state")
void BPF_PROG(coupled_state, struct sock *sk, __u8 state)
{
	struct coupled *coupled = state_of(sk);

	if (state == CA_LOSS)
		tell_lost(&coupled->place);
}

SEC("struct_ops/coupled_undo")
__u32 BPF_PROG(coupled_undo, struct sock *sk)
{
	return before_loss(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops control = {
	.init = (void *)coupled_init,
	.release = (void *)coupled_release,
	.pkts_acked = (void *)coupled_acked,
	.cong_avoid = (void *)coupled_grow,
	.ssthresh = (void *)coupled_threshold,
	.set_state = (void *)coupled_state,
	.undo_cwnd = (void *)coupled_undo,
	.name = "OWN.00000000000",
	.flags = CONG_NON_RESTRICTED,
};

#endif
#endif
