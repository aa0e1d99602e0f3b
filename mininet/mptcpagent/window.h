/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * The arithmetic of the two window controls, in whole numbers: BPF has no others. It needs nothing of a kernel, so that a test can
 * call it. Fractions have 16 binary places ("16.16") unless said otherwise; times are in microseconds, windows in packets.
 */

#pragma once

#define ONE 65536U
#define LEAST_WINDOW 2U
#define MOST_MEMBERS 8
#define MOST_WINDOW ((1U << 20) - 1)
#define LEAST_RTT_US 16U
#define MOST_RTT_US ((1U << 27) - 1)

/* S-MPTCP, Algorithm 5: alpha divides growth, mu is the part of the expected window that is left after an alert. An experiment
 * (Table 6) compiles other values, of beta on either side too. */
#ifndef ALPHA
#define ALPHA 5
#endif
#ifndef BETA_OF_NOW
#define BETA_OF_NOW 1
#endif
#ifndef BETA_OF_LAST
#define BETA_OF_LAST 1
#endif
#define MU_TENTHS 9

/* eMPTCP's p, which the paper does not give: of the newest round in the smoothed part of marked packets. That of DCTCP (RFC 8257). */
#define NEWEST_SHIFT 4

/* A subflow as the others of its connection see it. Without a round-trip time, which is 0, there is no window. */
struct member {
	__u32 owner;   /* 0: nobody, 1: a subflow */
	__u32 window;  /* packets, at most MOST_WINDOW */
	__u32 rtt_us;  /* smoothed, from LEAST_RTT_US to MOST_RTT_US */
	__u32 between; /* losses: packets that were delivered, or since the last one if these are more */
};

static inline __u32 at_least(__u32 value, __u32 least)
{
	return value < least ? least : value;
}

static inline __u32 at_most(__u32 value, __u32 most)
{
	return value > most ? most : value;
}

/* By how many packets a window grows, if it is to grow by one for as many acknowledged ones as needed. What is left over is kept in
 * *kept, in the unit of both others, as Linux's tcp_cong_avoid_ai does: nothing of it is lost. What was saved up towards a need
 * that was larger counts for one packet only. */
static inline __u32 grown(__u32 *kept, __u32 acked, __u32 needed)
{
	__u32 by = 0, more;

	needed = at_least(needed, 1);
	if (*kept >= needed) {
		*kept = 0;
		by = 1;
	}
	*kept += acked;
	more = *kept / needed;
	*kept -= more * needed;
	return by + more;
}

/* The packets that wait in queues, with four binary places: what the window is above rate times shortest round-trip time. */
static inline __u32 queued_packets(__u32 window, __u32 base_us, __u32 rtt_us)
{
	if (rtt_us <= base_us)
		return 0;
	return (__u64)window * 16 * (rtt_us - base_us) / rtt_us;
}

/* Bytes per second of so many packets in that time. */
static inline __u64 rate_of(__u32 packets, __u32 mss, __u64 microseconds)
{
	return microseconds ? (__u64)packets * mss * 1000000 / microseconds : 0;
}

/* The window after an alert: mu times expected rate times shortest round-trip time. rate: bytes per second. */
static inline __u32 alert_window(__u32 rate, __u32 base_us, __u32 mss)
{
	__u64 bytes = (__u64)rate * base_us / 1000000 * MU_TENTHS / 10;

	return at_least(bytes / at_least(mss, 1), LEAST_WINDOW);
}

/* Whether the queue calls for an alert: it is there, and has not become shorter (with beta = 1). With no queue at all there is room
 * that others do not use. */
static inline int is_alert(__u32 queued, __u32 before)
{
	return queued >= 16 && BETA_OF_NOW * queued >= BETA_OF_LAST * before;
}

/* The binary logarithm of a fraction, 1 <= value <= 65536: minus the result, within 0.0001. There is no branch in these series,
 * because the kernel's verifier follows every one. */
static inline __u32 minus_log2_of(__u32 value)
{
	__u32 halvings = 0;
	__u64 y, square, series;

	for (int i = 0; i < 16 && value < ONE; i++) {
		value <<= 1;
		halvings++;
	}
	/* log2(1 + m) = 2/ln 2 * (y + y^3/3 + y^5/5 + y^7/7 + ...), y = m / (2 + m); 32 binary places. */
	y = ((__u64)(value - ONE) << 32) / (value + ONE);
	square = y * y >> 32;
	series = (1ULL << 32) / 5 + (square / 7);
	series = (1ULL << 32) / 3 + (square * series >> 32);
	series = (1ULL << 32) + (square * series >> 32);
	series = (y * series >> 32) * 189093 >> 32; /* 2/ln 2 with 16 binary places */
	return halvings * ONE - series;
}

/* 2 to the power of -fraction, where fraction is at most 1: six terms of its Taylor series, within 0.0001. */
static inline __u32 exp2_of_minus(__u64 fraction)
{
	__u64 series = 87 - (fraction * 10 >> 16);

	series = 630 - (fraction * series >> 16);
	series = 3638 - (fraction * series >> 16);
	series = 15743 - (fraction * series >> 16);
	series = 45426 - (fraction * series >> 16);
	return ONE - (fraction * series >> 16);
}

/* A fraction from 0 to 1 to a power (16.16). */
static inline __u32 power_of(__u32 fraction, __u32 exponent)
{
	__u64 minus;

	if (!fraction)
		return 0;
	if (fraction >= ONE)
		return ONE;
	minus = (__u64)minus_log2_of(fraction) * exponent >> 16;
	return minus >= 16 * ONE ? 0 : exp2_of_minus(minus & (ONE - 1)) >> (minus >> 16);
}

/* One number of packets as a part of another (16.16), at most all. */
static inline __u32 part_of(__u32 packets, __u32 all)
{
	return packets >= all ? ONE : ((__u64)packets << 16) / all;
}

/* The smoothed part of marked packets after one more round. */
static inline __u32 smoothed(__u32 marked, __u32 of_round)
{
	return marked - (marked >> NEWEST_SHIFT) + (of_round >> NEWEST_SHIFT);
}

/* How many times longer (16.16) a than b, between 1/256 and 256. */
static inline __u64 ratio(__u32 a, __u32 b)
{
	__u64 found = ((__u64)a << 16) / at_least(b, 1);

	return found > (256ULL << 16) ? 256ULL << 16 : found < 256 ? 256 : found;
}

/* tau of a subflow: the mean round-trip time of the connection by its own, so that a long path gives way more. published: the
 * inverse, as the paper prints it. It lets the short path give way more, against the paper's own words. */
static inline __u32 tau_of(const struct member *members, __u32 rtt_us, int published)
{
	__u64 sum = 0;
	__u32 count = 0;

	for (int i = 0; i < MOST_MEMBERS; i++)
		if (members[i].owner && members[i].rtt_us) {
			sum += members[i].rtt_us;
			count++;
		}
	if (!count || !rtt_us)
		return ONE;
	return published ? ratio(rtt_us, sum / count) : ratio(sum / count, rtt_us);
}

/* How many packets must be acknowledged, in sixteenths, before the window grows by one: r_i^2 * sum(1/r_k) * sum(w_k/r_k) / n.
 * For a single subflow that is its window. */
static inline __u32 packets_for_one(const struct member *members, __u32 rtt_us, __u32 window)
{
	__u64 inverses = 0, windows = 0, result;
	__u32 count = 0;

	for (int i = 0; i < MOST_MEMBERS; i++)
		if (members[i].owner && members[i].rtt_us) {
			__u64 times = ratio(rtt_us, members[i].rtt_us);

			inverses += times;
			windows += (members[i].window & 0xffff) * times >> 8;
			count++;
		}
	if (!count || !rtt_us)
		return window * 16;
	/* 16 + 8 binary places, of which four stay. */
	result = inverses / count * windows >> 20;
	return result > 0x7fffffff ? 0x7fffffff : at_least(result, 1);
}

/* The window after a round with marks: window * (1 - marked^tau / 2). */
static inline __u32 marked_window(__u32 window, __u32 marked, __u32 tau)
{
	return at_least(window - ((__u64)window * power_of(marked, tau) >> 17), LEAST_WINDOW);
}
