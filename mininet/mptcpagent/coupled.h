/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * What the coupled congestion controls know of a connection, in whole numbers. It needs nothing of a kernel, so that a test can
 * call it.
 *
 * w_k is the window of subflow k in packets, r_k its smoothed round-trip time in microseconds, x_k = w_k / r_k its rate. Of the
 * rates, all formulas need only the shares s_k = x_k / (x_1 + ... + x_n). Time cancels out, and no ratio of two paths can overflow.
 *
 * Bounds: w_k < 2^20 and 2^4 <= r_k < 2^27. x_k has 30 binary places, so it is below 2^46, all together below 2^49, and x_k with
 * the 16 further places of a share below 2^62. The share of a subflow with 2 packets and 1 s is known to 1/2048 of itself.
 *
 * There is hardly a branch: the kernel's verifier follows each one, and eight members with three of them are too many ways.
 */

#pragma once

#include "integers.bpf.h"

#include "window.h"

#define RATE_PLACES 30

/* Growth is for each acknowledged packet, in packets with 32 binary places. */
#define PACKET (1ULL << 32)

struct view {
	__u32 window;   /* own, packets */
	__u32 count;    /* of the subflows that have a round-trip time */
	__u32 share;    /* own, 16.16 */
	__u32 largest;  /* share of any, 16.16 */
	__u64 windows;  /* of all, packets */
	__u64 linked;   /* the largest s_k^2 / w_k, 32 binary places */
};

/* 1 if one is less than the other, else 0. Both are below 2^63. */
static inline __u64 is_less(__u64 one, __u64 other)
{
	__u64 difference = one - other;

	/* Otherwise the compiler makes a branch of it. */
	asm volatile("" : "+r"(difference));
	return difference >> 63;
}

static inline __u64 is_equal(__u64 one, __u64 other)
{
	return 1 ^ is_less(one, other) ^ is_less(other, one);
}

static inline __u64 larger(__u64 one, __u64 other)
{
	return one + is_less(one, other) * (other - one);
}

/* For a divisor. */
static inline __u64 or_one(__u64 value)
{
	return value + is_less(value, 1);
}

/* 0 of a place that nobody has, or that nothing is known of. */
static inline __u64 window_of(const struct member *member)
{
	return (__u64)member->window * member->owner;
}

static inline __u64 rate_share(const struct member *member, __u64 of)
{
	return ((window_of(member) << RATE_PLACES) / or_one(member->rtt_us) << 16) / of;
}

static inline void look(struct view *view, const struct member *members, __u32 own)
{
	__u64 all = 0, largest = 0, linked = 0, windows = 0, count = 0;

	for (int i = 0; i < MOST_MEMBERS; i++)
		all += (window_of(&members[i]) << RATE_PLACES) / or_one(members[i].rtt_us);
	all = or_one(all);
	for (int i = 0; i < MOST_MEMBERS; i++) {
		__u64 window = window_of(&members[i]), share = rate_share(&members[i], all);

		largest = larger(largest, share);
		linked = larger(linked, share * share / or_one(window));
		windows += window;
		count += is_less(0, window);
	}
	view->window = window_of(&members[own]);
	view->share = rate_share(&members[own], all);
	view->largest = largest;
	view->linked = linked;
	view->windows = windows;
	view->count = count;
}

/* One packet in each round: that of RFC 5681. */
static inline __u64 reno_growth(__u32 window)
{
	return PACKET / at_least(window, 1);
}
