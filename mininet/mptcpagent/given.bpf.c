// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
/* Only gives subflows a congestion control that the kernel has. */

/* Its name is the kernel's. */
#define OWN_LENGTH 0

#include "congestion.bpf.h"
