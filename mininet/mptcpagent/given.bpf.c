// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/* Only gives subflows a congestion control that the kernel has. */

#include "congestion.bpf.h"
