// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * S-MPTCP's window (Algorithm 5): a subflow whose rate is above the expected one grows alpha times slower, and when its queue does
 * not become shorter its window falls to a little less than the expected rate needs. Slow start ends at the expected rate.
 * Otherwise it is Reno; the paper leaves open what the algorithm is added to, and used BALIA: PUBLISHED (smptcp-published).
 *
 * As published the alert compares beta * cq with q, and Table 6 is the other way round; with beta = 1 both are the same.
 * The rate and the queue are measured over a round: one round-trip time, or longer where that is too short for a measurement.
 */

#if PUBLISHED
#define PART_OF_ANOTHER
#include "balia.bpf.c"
#else
#include "congestion.bpf.h"
#endif

#define LEAST_ROUND_US 10000

struct window {
	__u64 begun_us;      /* of the round */
	__u32 begun_packets; /* delivered until then */
	__u32 round_end;     /* the sequence number that ends it */
	__u32 base_us;       /* the shortest round-trip time of all */
	__u32 least_us;      /* the shortest of this round */
	__u32 queued;        /* in the round before, 28.4 packets */
	__u32 expected;      /* bytes per second; 0: nobody has said */
	__u32 factor;        /* that divides growth */
#if PUBLISHED
	struct coupled coupled;
#else
	__u32 kept;          /* acknowledged packets, towards the next one that the window grows by */
#endif
};

_Static_assert(sizeof(struct window) <= sizeof(((struct inet_connection_sock *)0)->icsk_ca_priv), "the kernel has room for it");

/* What the algorithm is added to. */
#if PUBLISHED
static inline void base_begin(struct sock *sk, struct window *window)
{
	coupled_begin(sk, &window->coupled);
}

static inline void base_acked(struct sock *sk, struct window *window)
{
	told(sk, &window->coupled);
}

/* BALIA's growth is never negative, and BPF divides no signed numbers. */
static inline void base_grow(struct sock *sk, struct window *window, __u32 acked)
{
	coupled_grow_by(tcp_of(sk), &window->coupled, (__u64)coupled_growth(sk, &window->coupled, acked) / window->factor);
}

static inline __u32 base_left(struct sock *sk, struct window *window)
{
	return coupled_left(sk, &window->coupled);
}
#else
static inline void base_begin(struct sock *sk, struct window *window)
{
	window->kept = 0;
}

static inline void base_acked(struct sock *sk, struct window *window)
{
}

static inline void base_grow(struct sock *sk, struct window *window, __u32 acked)
{
	struct tcp_sock *tcp = tcp_of(sk);

	tcp->snd_cwnd = tcp->snd_cwnd + grown(&window->kept, acked, tcp->snd_cwnd * window->factor);
}

static inline __u32 base_left(struct sock *sk, struct window *window)
{
	return at_least(tcp_of(sk)->snd_cwnd / 2, LEAST_WINDOW);
}
#endif

static void begin_round(struct tcp_sock *tcp, struct window *window)
{
	window->begun_us = tcp->tcp_mstamp;
	window->begun_packets = tcp->delivered;
	window->round_end = tcp->snd_nxt;
	window->least_us = INFINITE;
}

static void look_up_expected(struct sock *sk, struct window *window)
{
	struct ends ends;
	__u32 *rate = NULL;

	if (find_ends(&sk->__sk_common, &ends))
		rate = bpf_map_lookup_elem(&rates, &ends);
	window->expected = rate ? *rate : 0;
}

static void shrink(struct tcp_sock *tcp, __u32 to)
{
	if (to < tcp->snd_cwnd)
		tcp->snd_cwnd = to;
	if (tcp->snd_cwnd < tcp->snd_ssthresh)
		tcp->snd_ssthresh = tcp->snd_cwnd;
}

SEC("struct_ops/smptcp_init")
void BPF_PROG(smptcp_init, struct sock *sk)
{
	struct window *window = state_of(sk);

	window->base_us = INFINITE;
	window->factor = 1;
	window->queued = 0;
	base_begin(sk, window);
	begin_round(tcp_of(sk), window);
	look_up_expected(sk, window);
}

SEC("struct_ops/smptcp_acked")
void BPF_PROG(smptcp_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct window *window = state_of(sk);
	__s32 rtt_us = sample->rtt_us;

	mend_threshold(tcp_of(sk));
	base_acked(sk, window);
	if (rtt_us <= 0)
		return;
	if ((__u32)rtt_us < window->base_us)
		window->base_us = rtt_us;
	if ((__u32)rtt_us < window->least_us)
		window->least_us = rtt_us;
}

SEC("struct_ops/smptcp_ack")
void BPF_PROG(smptcp_ack, struct sock *sk, __u32 flags)
{
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);
	__u64 lasted_us = tcp->tcp_mstamp - window->begun_us;
	__u32 queued;

	if (is_before(tcp->snd_una, window->round_end) || lasted_us < LEAST_ROUND_US || window->least_us == INFINITE)
		return;
	look_up_expected(sk, window);
	queued = queued_packets(tcp->snd_cwnd, window->base_us, window->least_us);
	window->factor = 1;
	if (window->expected && rate_of(tcp->delivered - window->begun_packets, tcp->mss_cache, lasted_us) > window->expected) {
		window->factor = ALPHA;
		if (is_alert(queued, window->queued))
			shrink(tcp, alert_window(window->expected, window->base_us, tcp->mss_cache));
	}
	window->queued = queued;
	begin_round(tcp, window);
}

SEC("struct_ops/smptcp_grow")
void BPF_PROG(smptcp_grow, struct sock *sk, __u32 ack, __u32 acked)
{
	struct window *window = state_of(sk);
	struct tcp_sock *tcp = tcp_of(sk);

	if (!is_window_full(tcp))
		return;
	if (tcp->snd_cwnd < tcp->snd_ssthresh) {
		if (window->expected && window->least_us != INFINITE
		    && rate_of(tcp->snd_cwnd, tcp->mss_cache, window->least_us) >= window->expected)
			shrink(tcp, tcp->snd_cwnd);
		else
			acked = slow_start(tcp, acked);
	}
	if (tcp->snd_cwnd < tcp->snd_ssthresh)
		return;
	base_grow(sk, window, acked);
}

SEC("struct_ops/smptcp_threshold")
__u32 BPF_PROG(smptcp_threshold, struct sock *sk)
{
	return base_left(sk, state_of(sk));
}

SEC("struct_ops/smptcp_undo")
__u32 BPF_PROG(smptcp_undo, struct sock *sk)
{
	return before_loss(sk);
}

#if PUBLISHED
SEC("struct_ops/smptcp_state")
void BPF_PROG(smptcp_state, struct sock *sk, __u8 state)
{
	struct window *window = state_of(sk);

	if (state == CA_LOSS)
		tell_lost(&window->coupled.place);
}

SEC("struct_ops/smptcp_release")
void BPF_PROG(smptcp_release, struct sock *sk)
{
	struct window *window = state_of(sk);

	leave_place(&window->coupled.place);
}
#endif

SEC(".struct_ops")
struct tcp_congestion_ops control = {
	.init = (void *)smptcp_init,
#if PUBLISHED
	.set_state = (void *)smptcp_state,
	.release = (void *)smptcp_release,
#endif
	.pkts_acked = (void *)smptcp_acked,
	.in_ack_event = (void *)smptcp_ack,
	.cong_avoid = (void *)smptcp_grow,
	.ssthresh = (void *)smptcp_threshold,
	.undo_cwnd = (void *)smptcp_undo,
	.name = "OWN.00000000000",
	.flags = CONG_NON_RESTRICTED,
};
