// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/*
 * Marks packets (CE, RFC 3168) that would wait in the queue of a link somewhat slower than the real one: a virtual queue. The kernel
 * of the testbed may have no queueing discipline that marks. Attached where packets leave towards the link, before its queue.
 *
 * BYTES_PER_SECOND: of the virtual link. THRESHOLD: bytes in the virtual queue from which on packets are marked. MOST: how long it
 * gets. All are given to the compiler; each interface has a copy of the program, so of its queue.
 */

#include "integers.bpf.h"

#include <bpf/bpf_helpers.h>

#define BPF_MAP_TYPE_ARRAY 2
#define TC_ACT_UNSPEC -1
#define NANOSECONDS 1000000000ULL

/* The beginning is all that is used. */
struct __sk_buff {
	__u32 len;
};

struct queue {
	__u64 at;     /* nanoseconds */
	__u64 length; /* bytes */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct queue);
} queues SEC(".maps");

/* bpf_skb_ecn_set_ce is for programs that may be used under the GPL, as this file may. */
char LICENSE[] SEC("license") = "GPL";

SEC("tc")
int mark(struct __sk_buff *packet)
{
	__u32 zero = 0;
	struct queue *queue = bpf_map_lookup_elem(&queues, &zero);
	__u64 now = bpf_ktime_get_ns(), gone;

	if (!queue)
		return TC_ACT_UNSPEC;
	gone = now - queue->at > NANOSECONDS ? MOST : (now - queue->at) * BYTES_PER_SECOND / NANOSECONDS;
	queue->length = (queue->length > gone ? queue->length - gone : 0) + packet->len;
	if (queue->length > MOST)
		queue->length = MOST;
	queue->at = now;
	if (queue->length > THRESHOLD)
		bpf_skb_ecn_set_ce(packet);
	return TC_ACT_UNSPEC;
}
