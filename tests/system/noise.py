# SPDX-License-Identifier: Apache-2.0
"""Run as a program inside a host, ``noise.py ADDRESS MBPS``: datagrams of 1400 bytes at random times (a Poisson process), until
it is killed.

Transfers alone may lock each other's phase at a drop-tail queue (Floyd and Jacobson 1991), and their shares then say nothing.
"""

import contextlib
import random
import socket
import sys
import time

_BYTES, _FRAME = 1400, 1442
_PORT = 9
_SEED = 6356

if __name__ == "__main__":
    draw, sender = random.Random(_SEED), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    at = time.monotonic()
    while True:
        at += draw.expovariate(float(sys.argv[2]) * 1e6 / 8 / _FRAME)
        time.sleep(max(0.0, at - time.monotonic()))  # a pace, not a wait
        with contextlib.suppress(OSError):
            sender.sendto(bytes(_BYTES), (sys.argv[1], _PORT))
