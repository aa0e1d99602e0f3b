// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * EWTCP, equally weighted TCP (Honda, Nishida, Eggert, Sarolahti and Tokuda 2009). Each of n subflows is a TCP with a weight. For
 * each packet acknowledged on subflow i
 *
 *     w_i += a / w_i
 *
 * A loss halves w_i. A TCP whose growth is a gets sqrt(a) of the rate of another one, so with a = 1 / n^2 all n get one TCP's.
 * PUBLISHED is a = 1 / sqrt(n), as Wischik et al. (NSDI 2011) and eMPTCP's paper print it. With that they get n^(3/4) TCPs' rates:
 * 1.68 for two.
 */

#include "coupled.h"

#ifndef PUBLISHED
#define PUBLISHED 0
#endif

/* 65536 / sqrt(n). */
static inline __u32 one_by_root(__u32 n)
{
	static const __u32 found[MOST_MEMBERS + 1] = {65536, 65536, 46341, 37837, 32768, 29309, 26755, 24770, 23170};

	return found[n <= MOST_MEMBERS ? n : MOST_MEMBERS];
}

static inline __s64 growth(const struct member *members, __u32 own)
{
	struct view view;

	look(&view, members, own);
	if (PUBLISHED)
		return reno_growth(view.window) * one_by_root(view.count) >> 16;
	return reno_growth(view.window) / or_one((__u64)view.count * view.count);
}

static inline __u32 left(__u32 window, const struct member *members, __u32 own)
{
	return window / 2;
}

#include "lossbased.bpf.h"
