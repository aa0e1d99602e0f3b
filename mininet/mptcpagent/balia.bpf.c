// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * BALIA, the Balanced Linked Adaptation (Peng, Walid, Hwang and Low 2016). For each packet acknowledged on subflow i, and for each loss
 *
 *     w_i += x_i / (r_i * (sum_k x_k)^2) * (1 + alpha_i) / 2 * (4 + alpha_i) / 5
 *     w_i -= w_i / 2 * min(alpha_i, 3 / 2),   alpha_i = max_k(x_k) / x_i
 *
 * With shares of the rate, and m for the largest, growth is (s_i + m) * (4 s_i + m) / (10 w_i). So it needs no bound of alpha_i,
 * which is 1 on the fastest subflow and may be a million on another.
 */

#include "coupled.h"

static inline __s64 growth(const struct member *members, __u32 own)
{
	struct view view;

	look(&view, members, own);
	/* At most 2 * 5, with 32 binary places. */
	return (__u64)(view.share + view.largest) * (4ULL * view.share + view.largest) / 10 / or_one(view.window);
}

static inline __u32 left(__u32 window, const struct member *members, __u32 own)
{
	__u64 less, most;
	struct view view;

	look(&view, members, own);
	less = (__u64)window * view.largest / or_one(2ULL * view.share);
	most = (__u64)window * 3 / 4;
	return window - (less < most ? less : most);
}

#include "lossbased.bpf.h"
