// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * LIA, the Linked Increases Algorithm (RFC 6356, Raiciu, Handley and Wischik 2011). For each packet acknowledged on subflow i
 *
 *     w_i += min(alpha / w, 1 / w_i),   alpha = w * max_k(w_k / r_k^2) / (sum_k w_k / r_k)^2
 *
 * where w is the sum of all windows, packets. A loss halves w_i. With shares of the rate, alpha / w = max_k(s_k^2 / w_k).
 */

#include "coupled.h"

static inline __s64 growth(const struct member *members, __u32 own)
{
	__u64 most;
	struct view view;

	look(&view, members, own);
	most = reno_growth(view.window);
	return view.linked < most ? view.linked : most;
}

static inline __u32 left(__u32 window, const struct member *members, __u32 own)
{
	return window / 2;
}

#include "lossbased.bpf.h"
