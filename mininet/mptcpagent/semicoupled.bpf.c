// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * Semicoupled (Wischik, Raiciu, Greenhalgh and Handley, NSDI 2011). For each packet acknowledged on subflow i
 *
 *     w_i += a / w
 *
 * where w is the sum of all windows, packets. A loss halves w_i. Here a = 1: the paper leaves it open, and LIA is what chooses it.
 * On one bottleneck n subflows then get sqrt(n) TCPs' rates: 1.41 for two.
 */

#include "coupled.h"

static inline __s64 growth(const struct member *members, __u32 own)
{
	struct view view;

	look(&view, members, own);
	return PACKET / or_one(view.windows);
}

static inline __u32 left(__u32 window, const struct member *members, __u32 own)
{
	return window / 2;
}

#include "lossbased.bpf.h"
