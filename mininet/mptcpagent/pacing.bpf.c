// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * Two programs that walk the TCP sockets of the network namespace in which they are read (BPF iterators, Linux 5.15 and later).
 *
 * limit:   gives each socket whose ends are in the map its pacing rate.
 * release: takes the pacing rate away from every MPTCP subflow that has one. MPTCP sockets refuse SO_MAX_PACING_RATE, so
 *          nobody but this agent has set it.
 *
 * Of the kernel's types only the fields that are used are declared; libbpf finds where they are in the running kernel.
 */

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed int __s32;
typedef signed long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define KERNEL __attribute__((preserve_access_index))

#define BPF_MAP_TYPE_HASH 1
#define AF_INET 2
#define AF_INET6 10
#define SOL_SOCKET 1
#define SO_MAX_PACING_RATE 47
#define SOL_TCP 6
#define TCP_NOTSENT_LOWAT 25

#define UNLIMITED 0xffffffffU
#define MOST_SUBFLOWS 65536

/* MPTCP gives each subflow data to keep. What waits there when a rate goes down holds up all that comes behind it on the other
 * subflows. So no more waits than is sent in a twentieth of a second, or this many bytes. */
#define UNSENT_PER_SECOND 20
#define LEAST_UNSENT 16384

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

struct inet_connection_sock {
	struct inet_sock icsk_inet;
} KERNEL;

struct tcp_sock {
	struct inet_connection_sock inet_conn;
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

static void pace(struct bpf_iter__tcp *context, struct tcp_sock *tcp, struct ends *ends, __u32 rate)
{
	struct outcome outcome = {};
	__u32 unsent = 0;

	if (rate != UNLIMITED) {
		unsent = rate / UNSENT_PER_SECOND;
		if (unsent < LEAST_UNSENT)
			unsent = LEAST_UNSENT;
	}
	outcome.error = bpf_setsockopt(tcp, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate);
	/* Kernels before 6.0 do not have it here; the rate holds without it. */
	bpf_setsockopt(tcp, SOL_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
	__builtin_memcpy(&outcome.ends, ends, sizeof *ends);
	bpf_seq_write(context->meta->seq, &outcome, sizeof outcome);
}

SEC("iter/tcp")
int limit(struct bpf_iter__tcp *context)
{
	struct sock_common *sk = context->sk_common;
	struct tcp_sock *tcp;
	struct ends ends;
	__u32 *rate;

	if (!sk || !find_ends(sk, &ends))
		return 0;
	rate = bpf_map_lookup_elem(&rates, &ends);
	if (!rate)
		return 0;
	tcp = bpf_skc_to_tcp_sock(sk);
	if (tcp && BPF_CORE_READ_BITFIELD(tcp, is_mptcp))
		pace(context, tcp, &ends, *rate);
	return 0;
}

SEC("iter/tcp")
int release(struct bpf_iter__tcp *context)
{
	struct sock_common *sk = context->sk_common;
	struct tcp_sock *tcp;
	struct ends ends;

	if (!sk || !find_ends(sk, &ends))
		return 0;
	tcp = bpf_skc_to_tcp_sock(sk);
	if (tcp && BPF_CORE_READ_BITFIELD(tcp, is_mptcp) && tcp->inet_conn.icsk_inet.sk.sk_max_pacing_rate != ~0UL)
		pace(context, tcp, &ends, UNLIMITED);
	return 0;
}
