# SPDX-License-Identifier: Apache-2.0
"""Delays frames between interfaces; runs alone until it is ended: ``delaybridge.py MILLIS BACK LOSS LOSSBACK A B [A B …]``.

What comes in at A leaves by B MILLIS milliseconds later, and the other way round after BACK. Of a hundred frames LOSS, or
LOSSBACK, are lost, each independently of the others. It stands for netem, which not every kernel has.
"""

import random
import select
import socket
import sys
import time
from collections import deque

_ETH_P_ALL, _SOL_PACKET, _IGNORE_OUTGOING = 0x0003, 263, 23
_MOST_BYTES, _AT_ONCE = 1 << 16, 64


class Way:
    """One direction: frames that ``source`` gets wait for ``seconds``, and then leave by ``sink``, in their order; all but a
    part ``lost`` of them. The same draws each time it starts."""

    def __init__(self, source: socket.socket, sink: socket.socket, seconds: float, lost: float) -> None:
        self.source, self._sink, self._seconds, self._lost = source, sink, seconds, lost
        self._draw = random.Random(1)
        self._waiting: deque[tuple[float, bytes]] = deque()

    def take(self, now: float) -> None:
        """Takes what has come."""
        for _ in range(_AT_ONCE):
            try:
                frame = self.source.recv(_MOST_BYTES)
            except OSError:
                return
            if not self._lost or self._draw.random() >= self._lost:
                self._waiting.append((now + self._seconds, frame))

    def let_go(self, now: float) -> float | None:
        """Sends what has waited long enough; when the next frame is due, None if none waits."""
        while self._waiting and self._waiting[0][0] <= now:
            frame = self._waiting.popleft()[1]
            try:
                self._sink.send(frame)
            except OSError:
                # The interface's own queue is full: a frame is lost, as on a link.
                continue
        return self._waiting[0][0] if self._waiting else None


def run(ways: list[Way]) -> None:
    """For ever."""
    by_number = {way.source.fileno(): way for way in ways}
    poll = select.epoll()
    for number in by_number:
        poll.register(number, select.EPOLLIN)
    while True:
        now = time.monotonic()
        due = [moment for way in ways if (moment := way.let_go(now)) is not None]
        for number, _ in poll.poll(max(0.0, min(due) - time.monotonic()) if due else None):
            by_number[number].take(time.monotonic())


def _open(interface: str) -> socket.socket:
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_NONBLOCK)
    raw.setsockopt(_SOL_PACKET, _IGNORE_OUTGOING, 1)
    raw.bind((interface, _ETH_P_ALL))
    return raw


if __name__ == "__main__":
    there, back = (float(millis) / 1000 for millis in sys.argv[1:3])
    lost, lost_back = (float(percent) / 100 for percent in sys.argv[3:5])
    ends = [_open(name) for name in sys.argv[5:]]
    print("ready", flush=True)
    run([way for a, b in zip(ends[::2], ends[1::2]) for way in (Way(a, b, there, lost), Way(b, a, back, lost_back))])
