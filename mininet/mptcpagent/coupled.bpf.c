// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * Coupled (Kelly and Voice 2005; Han, Shakkottai, Hollot, Srikant and Towsley 2006; in windows as Wischik et al., NSDI 2011). For each
 * packet acknowledged on subflow i, and for each loss
 *
 *     w_i += 1 / w
 *     w_i -= w / 2
 *
 * where w is the sum of all windows, packets. All but the least congested path end at the smallest window, and it is slow to see
 * that another has become free.
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
	struct view view;

	look(&view, members, own);
	return window > view.windows / 2 ? window - view.windows / 2 : 0;
}

#include "lossbased.bpf.h"
