// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * Reno (RFC 5681) on each subflow for itself, which kernels have. Here it is in the frame of the coupled ones, so that runs differ by
 * the formula alone:
 *
 *     w_i += 1 / w_i
 *
 * A loss halves w_i.
 */

#include "coupled.h"

static inline __s64 growth(const struct member *members, __u32 own)
{
	return reno_growth(window_of(&members[own]));
}

static inline __u32 left(__u32 window, const struct member *members, __u32 own)
{
	return window / 2;
}

#include "lossbased.bpf.h"
