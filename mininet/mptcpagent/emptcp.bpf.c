// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * eMPTCP's window: it grows in step with the other subflows of the connection, faster on short paths, and gives way to marks
 * (RFC 3168) by how many there are and by how long the path is. Its subflows know each other by a map.
 *
 * Readings, where the paper is silent or contradicts itself:
 *   - A round without marks grows, one with marks shrinks the window once. The paper asks whether the smoothed part f of marked
 *     packets is 0, and it hardly ever is.
 *   - f begins with 1, as that of DCTCP does, so that the first marks end slow start.
 *   - tau: see tau_of. PUBLISHED chooses the printed form.
 *   - Loss halves the window, as with Reno; the paper does not say.
 * The receiver echoes marks exactly if it has this congestion control too. Another one repeats a mark for a round.
 */

#include "siblings.bpf.h"

#ifndef PUBLISHED
#define PUBLISHED 0
#endif

#define EVENT_UNMARKED 4
#define EVENT_MARKED 5
#define ECN_ECHO 4

struct window {
	struct place place;
	__u32 round_end;     /* the sequence number that ends it */
	__u32 begun_packets; /* delivered until the round began, */
	__u32 begun_marked;  /* and those with marks */
	__u32 marked;        /* the smoothed part, 16.16 */
	__u32 kept;          /* of acknowledged packets, in sixteenths, towards the next one that the window grows by */
	__u32 needed;        /* for it to grow by one, in sixteenths */
	__u32 is_marked;     /* the last packet that came */
};

static void begin_round(struct tcp_sock *tcp, struct window *window)
{
	window->round_end = tcp->snd_nxt;
	window->begun_packets = tcp->delivered;
	window->begun_marked = tcp->delivered_ce;
}

SEC("struct_ops/emptcp_init")
void BPF_PROG(emptcp_init, struct sock *sk)
{
	struct window *window = state_of(sk);

	window->marked = ONE;
	window->kept = window->is_marked = 0;
	window->needed = tcp_of(sk)->snd_cwnd * 16;
	begin_round(tcp_of(sk), window);
	join(sk, &window->place);
}

SEC("struct_ops/emptcp_release")
void BPF_PROG(emptcp_release, struct sock *sk)
{
	struct window *window = state_of(sk);

	leave_place(&window->place);
}

SEC("struct_ops/emptcp_ack")
void BPF_PROG(emptcp_ack, struct sock *sk, __u32 flags)
{
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);
	__u32 packets, marked;
	struct member *members;

	mend_threshold(tcp);
	if (is_before(tcp->snd_una, window->round_end))
		return;
	packets = tcp->delivered - window->begun_packets;
	marked = tcp->delivered_ce - window->begun_marked;
	window->marked = smoothed(window->marked, packets ? part_of(marked, packets) : 0);
	begin_round(tcp, window);
	members = siblings_of(&window->place);
	if (!members) {
		window->needed = tcp->snd_cwnd * 16;
		return;
	}
	tell(sk, &window->place, members);
	window->needed = packets_for_one(members, tcp->srtt_us >> 3, tcp->snd_cwnd);
}

SEC("struct_ops/emptcp_grow")
void BPF_PROG(emptcp_grow, struct sock *sk, __u32 ack, __u32 acked)
{
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);

	if (!is_window_full(tcp))
		return;
	if (tcp->snd_cwnd < tcp->snd_ssthresh)
		acked = slow_start(tcp, acked);
	/* More than one for each packet would be a burst. */
	tcp->snd_cwnd = tcp->snd_cwnd + grown(&window->kept, acked * 16, at_least(window->needed, 16));
}

/* The kernel asks when marks or losses begin, once in a round. */
SEC("struct_ops/emptcp_threshold")
__u32 BPF_PROG(emptcp_threshold, struct sock *sk)
{
	struct window *window = state_of(sk);
	struct member *members = siblings_of(&window->place);
	struct tcp_sock *tcp = tcp_of(sk);

	return marked_window(tcp->snd_cwnd, window->marked, members ? tau_of(members, tcp->srtt_us >> 3, PUBLISHED) : ONE);
}

SEC("struct_ops/emptcp_state")
void BPF_PROG(emptcp_state, struct sock *sk, __u8 state)
{
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);

	if (state == CA_LOSS)
		tell_lost(&window->place);
	if (state >= CA_RECOVERY)
		tcp->snd_ssthresh = at_least(tcp->prior_cwnd / 2, LEAST_WINDOW);
}

static void echo(struct tcp_sock *tcp, int is_marked)
{
	tcp->ecn_flags = is_marked ? tcp->ecn_flags | ECN_ECHO : tcp->ecn_flags & ~ECN_ECHO;
}

/* Acknowledges what came before with the echo that it deserves, as soon as that changes (RFC 8257, section 3.2). */
SEC("struct_ops/emptcp_event")
void BPF_PROG(emptcp_event, struct sock *sk, int event)
{
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);
	__u32 is_marked = event == EVENT_MARKED;

	if (event != EVENT_MARKED && event != EVENT_UNMARKED)
		return;
	if (window->is_marked != is_marked) {
		echo(tcp, window->is_marked);
		bpf_tcp_send_ack(tcp, tcp->rcv_nxt);
		window->is_marked = is_marked;
	}
	echo(tcp, is_marked);
}

SEC("struct_ops/emptcp_undo")
__u32 BPF_PROG(emptcp_undo, struct sock *sk)
{
	return before_loss(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops control = {
	.init = (void *)emptcp_init,
	.release = (void *)emptcp_release,
	.in_ack_event = (void *)emptcp_ack,
	.cong_avoid = (void *)emptcp_grow,
	.ssthresh = (void *)emptcp_threshold,
	.set_state = (void *)emptcp_state,
	.cwnd_event = (void *)emptcp_event,
	.undo_cwnd = (void *)emptcp_undo,
	.name = "OWN.00000000000",
	.flags = CONG_NON_RESTRICTED | CONG_NEEDS_ECN,
};
