/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* In place of libbpf's: for little-endian machines, as ns-3's wheel is. */

#pragma once

#define bpf_ntohs(value) __builtin_bswap16(value)
