# SPDX-License-Identifier: Apache-2.0
"""Room in the sockets by which a switch daemon sends.

Open vSwitch's user-space datapath sends to all ports by one socket, whose buffer holds some 75 full frames of all queues
together. Where it is full, a frame to any port is dropped, also to one whose queue is empty, and no counter says so.
"""

import ctypes
import os
import socket
from pathlib import Path

from .errors import LabError

_PIDFD_GETFD = 438
_SO_SNDBUFFORCE = 32
ROOM_BYTES = 32 << 20
"""More than the queues of all links together."""


def widen(pid: int, size: int = ROOM_BYTES) -> int:
    """Gives all packet sockets of a process a send buffer of this many bytes; returns how many it has. LabError if it may not."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = 0
    process = os.pidfd_open(pid)
    try:
        for entry in sorted(Path(f"/proc/{pid}/fd").iterdir()):
            try:
                if not os.readlink(entry).startswith("socket:"):
                    continue
            except FileNotFoundError:  # closed meanwhile
                continue
            copy = libc.syscall(_PIDFD_GETFD, process, int(entry.name), 0)
            if copy < 0:
                raise LabError(f"cannot reach the sockets of process {pid}: {os.strerror(ctypes.get_errno())}")
            with socket.socket(fileno=copy) as one:
                if one.family == socket.AF_PACKET:
                    one.setsockopt(socket.SOL_SOCKET, _SO_SNDBUFFORCE, size)
                    found += 1
    finally:
        os.close(process)
    return found
