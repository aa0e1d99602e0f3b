# SPDX-License-Identifier: Apache-2.0
"""A program that takes a given part of one processor and does nothing else: ``busyloop.py 0.4``, until it is ended.

In a comparison it stands for a controller that takes as much processor time on the same machine (``load``).
"""

import sys
import time

_PAUSE = 0.0005


def take(part: float) -> None:
    """Takes this part, 0 to 1, of one processor, or what it gets. Does not return."""
    begun = time.monotonic()
    while True:
        if time.process_time() >= part * (time.monotonic() - begun):
            time.sleep(_PAUSE)


if __name__ == "__main__":
    take(float(sys.argv[1]))
