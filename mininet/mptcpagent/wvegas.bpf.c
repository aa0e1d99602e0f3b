// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * wVegas, weighted Vegas (Cao, Xu and Fu 2012): it goes by queues, not by losses. Once in a round, with the mean round-trip time r_i
 * of the round and the shortest of all b_i, microseconds, subflow i has q_i = w_i * (r_i - b_i) / r_i packets in queues.
 *
 *     alpha_i = max(2, 10 * x_i / sum_k x_k)      if q_i >= alpha_i; it begins with 2
 *     w_i += 1 if q_i < alpha_i, w_i -= 1 if q_i > alpha_i
 *     w_i = w_i * b_i / (2 r_i)                   if r_i - b_i is twice the least that it was since the last time: the queue drains
 *
 * Slow start ends when q_i > 1. A loss halves w_i, and until the kernel has mended it the window is Reno's. What the paper leaves
 * open is as in its authors' implementation for Linux: gamma is 1, a round needs three samples, and ssthresh is kept at 3/4 of the
 * window at least, so that slow start fills the path again after the queue has drained.
 *
 * Bounds: w_i < 2^20, times below 2^31 microseconds: products below 2^51.
 */

#include "coupled.h"

#define ALL_QUEUED 10
#define LEAST_QUEUED 2
#define LEAST_SAMPLES 3

/* The packets that a subflow is to have in queues. */
static inline __u32 target_of(const struct member *members, __u32 own)
{
	struct view view;

	look(&view, members, own);
	return at_least((__u64)ALL_QUEUED * view.share >> 16, LEAST_QUEUED);
}

/* The window with which nothing waits in queues. */
static inline __u32 unqueued(__u32 window, __u32 base_us, __u32 rtt_us)
{
	return (__u64)window * base_us / at_least(rtt_us, 1);
}

static inline int is_to_drain(__u32 queue_us, __u32 least_us)
{
	return queue_us >= 2ULL * least_us;
}

#ifdef __bpf__

#include "siblings.bpf.h"

#define EVENT_RESTARTED 1
#define CA_OPEN 0

struct window {
	struct place place;
	__u32 base_us;        /* the shortest round-trip time of all */
	__u32 sum_us;         /* of the samples of this round */
	__u32 samples;
	__u32 round_end;      /* the sequence number that ends it */
	__u32 target;         /* alpha, packets */
	__u32 least_queue_us; /* the shortest time in queues since they were drained */
	__u32 kept;           /* packets acknowledged since a window of Reno's grew */
	__u32 is_mending;     /* a loss */
};

static void begin(struct tcp_sock *tcp, struct window *window)
{
	window->target = LEAST_QUEUED;
	window->least_queue_us = INFINITE;
	window->round_end = tcp->snd_nxt;
	window->sum_us = window->samples = window->kept = 0;
}

SEC("struct_ops/wvegas_init")
void BPF_PROG(wvegas_init, struct sock *sk)
{
	struct window *window = state_of(sk);

	window->base_us = INFINITE;
	window->is_mending = 0;
	begin(tcp_of(sk), window);
	join(sk, &window->place);
}

SEC("struct_ops/wvegas_release")
void BPF_PROG(wvegas_release, struct sock *sk)
{
	struct window *window = state_of(sk);

	leave_place(&window->place);
}

SEC("struct_ops/wvegas_acked")
void BPF_PROG(wvegas_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct window *window = state_of(sk);
	struct member *members = siblings_of(&window->place);
	__s32 rtt_us = sample->rtt_us;

	mend_threshold(tcp_of(sk));
	if (members)
		tell(sk, &window->place, members);
	if (rtt_us <= 0 || (__u32)rtt_us > MOST_RTT_US || window->sum_us > INFINITE)
		return;
	if ((__u32)rtt_us < window->base_us)
		window->base_us = rtt_us;
	window->sum_us += rtt_us;
	window->samples++;
}

static void grow_as_reno(struct tcp_sock *tcp, struct window *window, __u32 acked)
{
	if (tcp->snd_cwnd < tcp->snd_ssthresh)
		acked = slow_start(tcp, acked);
	if (acked)
		tcp->snd_cwnd = tcp->snd_cwnd + grown(&window->kept, acked, tcp->snd_cwnd);
}

static void follow_queue(struct tcp_sock *tcp, struct window *window, __u32 rtt_us)
{
	struct member *members = siblings_of(&window->place);
	__u32 packets = tcp->snd_cwnd, queue_us = rtt_us - window->base_us;
	__u32 queued = queued_packets(packets, window->base_us, rtt_us) / 16;

	if (queued >= window->target && members)
		window->target = target_of(members, index_of(&window->place));
	if (queued > window->target) {
		packets--;
		tcp->snd_ssthresh = at_most(tcp->snd_ssthresh, at_least(packets - 1, LEAST_WINDOW));
	} else if (queued < window->target)
		packets++;
	if (queue_us && queue_us < window->least_queue_us)
		window->least_queue_us = queue_us;
	if (is_to_drain(queue_us, window->least_queue_us)) {
		packets = unqueued(packets, window->base_us, rtt_us) / 2;
		window->least_queue_us = INFINITE;
	}
	tcp->snd_cwnd = at_least(packets, LEAST_WINDOW);
}

static void end_round(struct tcp_sock *tcp, struct window *window, __u32 acked)
{
	__u32 rtt_us = at_least(window->sum_us / at_least(window->samples, 1), window->base_us);

	if (window->samples < LEAST_SAMPLES)
		grow_as_reno(tcp, window, acked);
	else if (tcp->snd_cwnd > tcp->snd_ssthresh)
		follow_queue(tcp, window, rtt_us);
	else if (queued_packets(tcp->snd_cwnd, window->base_us, rtt_us) / 16 > 1) {
		tcp->snd_cwnd = at_least(at_most(tcp->snd_cwnd, unqueued(tcp->snd_cwnd, window->base_us, rtt_us) + 1), LEAST_WINDOW);
		tcp->snd_ssthresh = at_least(at_most(tcp->snd_ssthresh, tcp->snd_cwnd - 1), LEAST_WINDOW);
	} else
		slow_start(tcp, acked);
	tcp->snd_ssthresh = at_least(tcp->snd_ssthresh, tcp->snd_cwnd / 2 + tcp->snd_cwnd / 4);
	window->round_end = tcp->snd_nxt;
	window->sum_us = window->samples = 0;
}

SEC("struct_ops/wvegas_grow")
void BPF_PROG(wvegas_grow, struct sock *sk, __u32 ack, __u32 acked)
{
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);

	if (!is_window_full(tcp))
		return;
	if (window->is_mending)
		grow_as_reno(tcp, window, acked);
	else if (!is_before(tcp->snd_una, window->round_end))
		end_round(tcp, window, acked);
	else if (tcp->snd_cwnd < tcp->snd_ssthresh)
		slow_start(tcp, acked);
}

SEC("struct_ops/wvegas_state")
void BPF_PROG(wvegas_state, struct sock *sk, __u8 state)
{
	struct window *window = state_of(sk);

	if (state == CA_LOSS)
		tell_lost(&window->place);
	window->is_mending = state != CA_OPEN;
	begin(tcp_of(sk), window);
}

/* After a pause the path may be another one. */
SEC("struct_ops/wvegas_event")
void BPF_PROG(wvegas_event, struct sock *sk, int event)
{
	struct window *window = state_of(sk);

	if (event != EVENT_RESTARTED)
		return;
	window->base_us = INFINITE;
	begin(tcp_of(sk), window);
}

SEC("struct_ops/wvegas_threshold")
__u32 BPF_PROG(wvegas_threshold, struct sock *sk)
{
	return at_least(tcp_of(sk)->snd_cwnd / 2, LEAST_WINDOW);
}

SEC("struct_ops/wvegas_undo")
__u32 BPF_PROG(wvegas_undo, struct sock *sk)
{
	return before_loss(sk);
}

SEC(".struct_ops")
struct tcp_congestion_ops control = {
	.init = (void *)wvegas_init,
	.release = (void *)wvegas_release,
	.pkts_acked = (void *)wvegas_acked,
	.cong_avoid = (void *)wvegas_grow,
	.ssthresh = (void *)wvegas_threshold,
	.set_state = (void *)wvegas_state,
	.cwnd_event = (void *)wvegas_event,
	.undo_cwnd = (void *)wvegas_undo,
	.name = "OWN.00000000000",
	.flags = CONG_NON_RESTRICTED,
};

#endif
