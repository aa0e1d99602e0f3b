/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * One of the agent's congestion controls as a shared object. PROGRAM is its source, given to the compiler; the headers of this
 * folder stand for the kernel's and libbpf's. So the same source runs in kernels and in the simulator.
 */

#include "adapter.h"

#include PROGRAM

#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096U

/* Maps: all entries of all maps in one table. */
struct entry {
	struct entry *next;
	void *map;
	size_t key_size;
	_Alignas(8) char data[]; /* the key, then, aligned, the value */
};

static struct entry *buckets[BUCKETS];

static size_t place_of_value(size_t key_size)
{
	return (key_size + 7) / 8 * 8;
}

static struct entry **find(void *map, size_t key_size, const void *key)
{
	const unsigned char *bytes = key;
	unsigned hash = (uintptr_t)map;
	struct entry **at;

	for (size_t i = 0; i < key_size; i++)
		hash = (hash ^ bytes[i]) * 16777619U;
	at = &buckets[(hash >> 8) % BUCKETS];
	while (*at && ((*at)->map != map || memcmp((*at)->data, key, key_size)))
		at = &(*at)->next;
	return at;
}

void *native_lookup(void *map, size_t key_size, const void *key)
{
	struct entry *found = *find(map, key_size, key);

	return found ? found->data + place_of_value(key_size) : NULL;
}

long native_update(void *map, size_t key_size, size_t value_size, const void *key, const void *value, unsigned long flags)
{
	struct entry **at = find(map, key_size, key);

	if (!*at) {
		*at = calloc(1, sizeof **at + place_of_value(key_size) + value_size);
		if (!*at)
			return -1;
		(*at)->map = map;
		(*at)->key_size = key_size;
		memcpy((*at)->data, key, key_size);
	} else if (flags == BPF_NOEXIST) {
		return -1;
	}
	memcpy((*at)->data + place_of_value(key_size), value, value_size);
	return 0;
}

long native_delete(void *map, size_t key_size, const void *key)
{
	struct entry **at = find(map, key_size, key), *gone = *at;

	if (!gone)
		return -1;
	*at = gone->next;
	free(gone);
	return 0;
}

/* What the kernel has of a subflow. The connection is known by its address only. */
struct subflow {
	struct tcp_sock tcp;
	struct {
		void *conn;
	} context;
};

static int needs_marks(void)
{
	return !!(control.flags & CONG_NEEDS_ECN);
}

static void *make(void *connection, uint32_t from, uint32_t to, uint16_t port, uint32_t expected)
{
	struct subflow *subflow = calloc(1, sizeof *subflow);
	struct sock_common *common = &subflow->tcp.inet_conn.icsk_inet.sk.__sk_common;
	struct ends ends;

	if (!subflow)
		abort();
	subflow->context.conn = connection;
	subflow->tcp.inet_conn.icsk_ulp_data = &subflow->context;
	subflow->tcp.is_mptcp = 1;
	common->skc_family = AF_INET;
	common->skc_rcv_saddr = from;
	common->skc_daddr = to;
	common->skc_num = port;
	if (expected && find_ends(common, &ends))
		bpf_map_update_elem(&rates, &ends, &expected, 0);
	return subflow;
}

static uint32_t call(void *of, int what, struct simulated *now, uint32_t x)
{
	struct tcp_sock *tcp = &((struct subflow *)of)->tcp;
	struct sock *sk = (struct sock *)tcp;
	struct ack_sample sample = {.rtt_us = (__s32)x};
	uint32_t result = 0;

	tcp->mss_cache = now->mss;
	tcp->prior_cwnd = now->prior_cwnd;
	tcp->max_packets_out = now->max_packets_out;
	tcp->snd_nxt = now->snd_nxt;
	tcp->snd_una = now->snd_una;
	tcp->delivered = now->delivered;
	tcp->delivered_ce = now->delivered_ce;
	tcp->srtt_us = now->srtt_us8;
	tcp->is_cwnd_limited = now->is_cwnd_limited;
	tcp->tcp_mstamp = now->now_us;
	tcp->snd_cwnd = now->cwnd;
	tcp->snd_ssthresh = now->ssthresh;
	if (what == CONTROL_INIT && control.init)
		control.init(sk);
	else if (what == CONTROL_ACK_EVENT && control.in_ack_event)
		control.in_ack_event(sk, 0);
	else if (what == CONTROL_ACKED && control.pkts_acked)
		control.pkts_acked(sk, &sample);
	else if (what == CONTROL_GROW)
		control.cong_avoid(sk, now->snd_una, x);
	else if (what == CONTROL_THRESHOLD)
		result = control.ssthresh(sk);
	else if (what == CONTROL_STATE && control.set_state)
		control.set_state(sk, x);
	else if (what == CONTROL_RELEASE && control.release)
		control.release(sk);
	now->cwnd = tcp->snd_cwnd;
	now->ssthresh = tcp->snd_ssthresh;
	return result;
}

static void end(void *subflow)
{
	free(subflow);
}

struct simulated_control simulated_control = {needs_marks, make, call, end};
