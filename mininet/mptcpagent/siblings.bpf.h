/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * The subflows of a connection, as they know each other: a map has a place for each of them, under the address of the connection's
 * socket. Whoever finds no place, because there are too many, is as a single subflow.
 */

#pragma once

#include "congestion.bpf.h"

#define MOST_CONNECTIONS 4096

struct mptcp_subflow_context {
	struct sock *conn;
} KERNEL;

struct connection {
	struct member members[MOST_MEMBERS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MOST_CONNECTIONS);
	__type(key, __u64);
	__type(value, struct connection);
} connections SEC(".maps");

struct place {
	__u64 connection; /* the key of the map */
	__u32 number;     /* among its members, from 1; 0: none */
};

/* The members of its connection, itself at number - 1; NULL if it has no place. */
static struct member *siblings_of(struct place *place)
{
	__u64 key = place->connection;
	struct connection *connection = bpf_map_lookup_elem(&connections, &key);

	return connection && place->number - 1 < MOST_MEMBERS ? connection->members : NULL;
}

/* The index of a place that siblings_of has found. The verifier of Linux 6.1 sees no bound in a comparison of a copy. */
static inline __u32 index_of(const struct place *place)
{
	__u32 index = place->number - 1;

	asm volatile("" : "+r"(index));
	return index & (MOST_MEMBERS - 1);
}

/* Before the first round-trip time is known there is nothing to tell, and the others do not count it. */
static void tell(struct sock *sk, struct place *place, struct member *members)
{
	__u32 own = index_of(place), rtt_us = tcp_of(sk)->srtt_us >> 3;

	if (!rtt_us)
		return;
	members[own].rtt_us = at_most(at_least(rtt_us, LEAST_RTT_US), MOST_RTT_US);
	members[own].window = at_most(tcp_of(sk)->snd_cwnd, MOST_WINDOW);
}

/* After a time-out. A subflow whose path is dead has nothing more to tell, and its old window would hold up the others. */
static void tell_lost(struct place *place)
{
	struct member *members = siblings_of(place);
	__u32 own = index_of(place);

	if (members)
		members[own].window = at_most(members[own].window, 1);
}

static void join(struct sock *sk, struct place *place)
{
	struct mptcp_subflow_context *context = ((struct inet_connection_sock *)sk)->icsk_ulp_data;
	struct connection *connection, none = {};
	__u64 key = 0;

	place->number = 0;
	if (BPF_CORE_READ_BITFIELD(tcp_of(sk), is_mptcp))
		bpf_core_read(&key, sizeof key, &context->conn);
	place->connection = key;
	if (!key)
		return;
	bpf_map_update_elem(&connections, &key, &none, BPF_NOEXIST);
	connection = bpf_map_lookup_elem(&connections, &key);
	if (!connection)
		return;
	for (__u32 i = 0; i < MOST_MEMBERS; i++)
		if (!__sync_val_compare_and_swap(&connection->members[i].owner, 0, 1)) {
			connection->members[i].window = connection->members[i].rtt_us = connection->members[i].between = 0;
			place->number = i + 1;
			tell(sk, place, connection->members);
			return;
		}
}

static void leave_place(struct place *place)
{
	struct member *members = siblings_of(place);
	__u32 own = index_of(place), left = 0;
	__u64 key = place->connection;

	if (!members)
		return;
	members[own].owner = 0;
	for (int i = 0; i < MOST_MEMBERS; i++)
		left += members[i].owner;
	if (!left)
		bpf_map_delete_elem(&connections, &key);
}
