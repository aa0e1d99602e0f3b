/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* In place of libbpf's: programs are functions. */

#pragma once

#define BPF_PROG(name, ...) name(__VA_ARGS__)
