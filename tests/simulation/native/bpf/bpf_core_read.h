/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* In place of libbpf's: the fields are where this compiler has put them. */

#pragma once

#define bpf_core_read(to, size, from) __builtin_memcpy(to, from, size)
#define BPF_CORE_READ_BITFIELD(of, field) ((of)->field)
