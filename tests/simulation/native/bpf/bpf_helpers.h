/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* In place of libbpf's: maps of this process. What only a kernel can do does nothing. */

#pragma once

#include <stddef.h>

#define SEC(name)
#define __uint(name, value) int (*name)[value]
#define __type(name, value) __typeof__(value) *name
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

void *native_lookup(void *map, size_t key_size, const void *key);
long native_update(void *map, size_t key_size, size_t value_size, const void *key, const void *value, unsigned long flags);
long native_delete(void *map, size_t key_size, const void *key);

#define bpf_map_lookup_elem(map, of) native_lookup(map, sizeof *(map)->key, of)
#define bpf_map_update_elem(map, of, to, flags) native_update(map, sizeof *(map)->key, sizeof *(map)->value, of, to, flags)
#define bpf_map_delete_elem(map, of) native_delete(map, sizeof *(map)->key, of)

static inline long bpf_setsockopt(void *socket, int level, int name, void *value, int size)
{
	return -1;
}

static inline long bpf_seq_write(void *file, const void *data, unsigned size)
{
	return -1;
}

static inline void *bpf_skc_to_tcp_sock(void *socket)
{
	return socket;
}

/* ns-3's receivers answer marks as soon as they change, as a socket of DCTCP does. */
static inline long bpf_tcp_send_ack(void *socket, unsigned next)
{
	return 0;
}
