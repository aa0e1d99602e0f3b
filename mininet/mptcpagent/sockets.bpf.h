/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * What the BPF programs have in common: the types of the kernel, the map with the rates of subflows, and the ends of a socket.
 *
 * Of the kernel's types only the fields that are used are declared; libbpf finds where they are in the running kernel.
 */

#pragma once

#include "integers.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define KERNEL __attribute__((preserve_access_index))

#define BPF_MAP_TYPE_HASH 1
#define BPF_NOEXIST 1
#define AF_INET 2
#define AF_INET6 10
#define SOL_SOCKET 1
#define SOL_TCP 6

#define MOST_SUBFLOWS 65536

struct in6_addr {
	union {
		__u8 u6_addr8[16];
	} in6_u;
} KERNEL;

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	__u16 skc_num;
	unsigned short skc_family;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
} KERNEL;

struct sock {
	struct sock_common __sk_common;
	unsigned long sk_max_pacing_rate;
} KERNEL;

struct inet_sock {
	struct sock sk;
} KERNEL;

struct tcp_congestion_ops;

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	const struct tcp_congestion_ops *icsk_ca_ops;
	void *icsk_ulp_data;
	__u64 icsk_ca_priv[13];
} KERNEL;

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u32 mss_cache;
	__u32 snd_cwnd;
	__u32 snd_ssthresh;
	__u32 prior_cwnd;
	__u32 max_packets_out;
	__u32 snd_nxt;
	__u32 snd_una;
	__u32 rcv_nxt;
	__u32 delivered;
	__u32 delivered_ce;
	__u32 srtt_us;
	__u64 tcp_mstamp;
	__u8 ecn_flags;
	__u8 is_cwnd_limited : 1;
	__u8 is_mptcp : 1;
} KERNEL;

struct bpf_iter_meta {
	struct seq_file *seq;
} KERNEL;

struct bpf_iter__tcp {
	struct bpf_iter_meta *meta;
	struct sock_common *sk_common;
} KERNEL;

/* Written by subflow.py. */
struct ends {
	__u8 local[16];
	__u8 remote[16];
	__u16 local_port;
	__u16 remote_port;
};

/* What a reader gets of each socket that a program has changed; read by pacing.py. */
struct outcome {
	struct ends ends;
	__s32 error;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MOST_SUBFLOWS);
	__type(key, struct ends);
	__type(value, __u32);  /* bytes of payload per second */
} rates SEC(".maps");

/* The kernel lends bpf_seq_write and bpf_probe_read_kernel only to programs that may be used under the GPL, as this file may. */
char LICENSE[] SEC("license") = "GPL";

static void map_ipv4(__u8 *to, __be32 address)
{
	to[10] = to[11] = 0xff;
	__builtin_memcpy(to + 12, &address, 4);
}

static int find_ends(struct sock_common *sk, struct ends *ends)
{
	__builtin_memset(ends, 0, sizeof *ends);
	ends->local_port = sk->skc_num;
	ends->remote_port = bpf_ntohs(sk->skc_dport);
	if (sk->skc_family == AF_INET) {
		map_ipv4(ends->local, sk->skc_rcv_saddr);
		map_ipv4(ends->remote, sk->skc_daddr);
		return 1;
	}
	if (sk->skc_family == AF_INET6) {
		bpf_core_read(ends->local, sizeof ends->local, &sk->skc_v6_rcv_saddr);
		bpf_core_read(ends->remote, sizeof ends->remote, &sk->skc_v6_daddr);
		return 1;
	}
	return 0;
}

/* The MPTCP subflow behind a socket, with its ends; 0 if it is none. */
static __always_inline struct tcp_sock *find_subflow(struct sock_common *sk, struct ends *ends)
{
	struct tcp_sock *tcp;

	if (!sk || !find_ends(sk, ends))
		return 0;
	tcp = bpf_skc_to_tcp_sock(sk);
	return tcp && BPF_CORE_READ_BITFIELD(tcp, is_mptcp) ? tcp : 0;
}
