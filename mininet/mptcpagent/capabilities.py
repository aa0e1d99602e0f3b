# SPDX-License-Identifier: Apache-2.0
"""Gives capabilities up that are needed only at the start (Linux ``capabilities(7)``)."""

import contextlib
import ctypes
import os
import re
import struct
from pathlib import Path

from .errors import Unusable

NET_RAW, PERFMON, BPF = 13, 38, 39
_SETPCAP = 8
_PR_CAPBSET_DROP = 24
_VERSION_3 = 0x20080522
_HEADER = struct.Struct("=Ii")
_SETS = struct.Struct("=6I")
"""Effective, permitted and inheritable, the lower 32 of each, then the upper ones."""

_WITHOUT_BPF = (5, 19)
"""From this version on a program that has loaded its BPF programs needs CAP_BPF no more to run them and to fill their maps."""


def effective() -> int:
    """The capabilities that this process may use, a bit each."""
    return _sets()[0]


def release() -> tuple[int, int]:
    """Of the running kernel, such as 6, 1."""
    with contextlib.suppress(ValueError):
        major, minor = re.findall(r"\d+", os.uname().release)[:2]
        return int(major), int(minor)
    return 0, 0


def keep_few() -> None:
    """For when programs are loaded and sockets are open: nothing in this process, and nothing that it starts, can load a program
    or open a packet socket afterwards. Unusable if the kernel refuses that."""
    gone = [NET_RAW, PERFMON, *([BPF] if release() >= _WITHOUT_BPF else [])]
    library = ctypes.CDLL(None, use_errno=True)
    if effective() >> _SETPCAP & 1:
        # Otherwise root would have them back in each program that it starts.
        for one in gone:
            library.prctl(_PR_CAPBSET_DROP, one, 0, 0, 0)
    kept = ~sum(1 << one for one in gone)
    sets = [one & kept for one in _sets()]
    low, high = [one & 0xffffffff for one in sets], [one >> 32 for one in sets]
    if library.capset(_HEADER.pack(_VERSION_3, 0), _SETS.pack(*low, *high)):
        raise Unusable(f"the kernel takes no capability away: {os.strerror(ctypes.get_errno())}")


def _sets() -> tuple[int, int, int]:
    found = dict(re.findall(r"^Cap(Eff|Prm|Inh):\s*(\w+)$", Path("/proc/thread-self/status").read_text(encoding="ascii"), re.M))
    return int(found["Eff"], 16), int(found["Prm"], 16), int(found["Inh"], 16)
