// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * OLIA, the Opportunistic Linked Increases Algorithm (Khalili, Gast, Popovic and Le Boudec 2013). For each packet acknowledged on
 * subflow i
 *
 *     w_i += (w_i / r_i^2) / (sum_k w_k / r_k)^2 + alpha_i / w_i
 *
 * A loss halves w_i. M are the subflows with the largest window, B those with the largest l_k / r_k^2, where l_k is the number of
 * packets between the last two losses, or since the last one if these are more. If there are subflows in B that are not in M,
 * alpha_i is 1 / (n * |B \ M|) for each of them and -1 / (n * |M|) for each in M. Otherwise it is 0, as for all others.
 * With shares of the rate, the first term is s_i^2 / w_i.
 *
 * Bounds: l_k <= 2^20; 2^36 / r_k <= 2^30 for r_k >= 64 microseconds; so a quality is below 2^60.
 */

#include "coupled.h"

#define MOST_BETWEEN (1U << 20)

static inline __u64 quality_of(const struct member *member)
{
	__u64 frequency = (1ULL << 36) / larger(member->rtt_us, 64);
	__u64 between = MOST_BETWEEN - larger(MOST_BETWEEN, member->between) + member->between;

	return between * (frequency * frequency >> 20) * is_less(0, window_of(member));
}

static inline __s64 growth(const struct member *members, __u32 own)
{
	__u64 widest = 0, best = 0, in_widest = 0, only_best = 0, part, is_widest, is_only_best;
	struct view view;

	look(&view, members, own);
	for (int i = 0; i < MOST_MEMBERS; i++) {
		widest = larger(widest, window_of(&members[i]));
		best = larger(best, quality_of(&members[i]));
	}
	for (int i = 0; i < MOST_MEMBERS; i++) {
		__u64 wide = is_equal(window_of(&members[i]), widest);

		in_widest += wide;
		only_best += is_equal(quality_of(&members[i]), best) & ~wide;
	}
	is_widest = is_equal(view.window, widest);
	is_only_best = is_equal(quality_of(&members[own]), best) & ~is_widest;
	/* At most 1: only where there are such. */
	part = reno_growth(view.window) / or_one(view.count) * is_less(0, only_best);
	return (__u64)view.share * view.share / or_one(view.window)
		+ is_only_best * (part / or_one(only_best)) - is_widest * (part / or_one(in_widest));
}

static inline __u32 left(__u32 window, const struct member *members, __u32 own)
{
	return window / 2;
}

#include "lossbased.bpf.h"
