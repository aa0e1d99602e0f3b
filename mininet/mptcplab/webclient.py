# SPDX-License-Identifier: Apache-2.0
"""A web client for one host: opens connections at a steady rate, one for each request, whether earlier ones are over or not.

``python3 webclient.py PROTOCOL ADDRESS PORT PATH RATE SECONDS SIZE``, with PROTOCOL ``mptcp`` or ``tcp``, RATE in connections
per second and SIZE the bytes of a right answer. Prints JSON: ``wanted``, ``seconds`` from the first SYN to the last answer,
``millis`` of each good connection from SYN to the server's end, and ``failures``, cause → how many.

Ours, because no packaged client does it. ``ab`` and ``wrk`` wait for an answer before they send the next request; ``h2load``
leaves the handshake out of its times; ``httperf`` polls, which takes a whole processor from the network that it measures;
``hey`` is written in Go, whose programs ``mptcpize`` cannot change.
"""

from __future__ import annotations

import collections
import errno
import json
import resource
import select
import socket
import sys
import time
from typing import Any

TIMEOUT_SECONDS = 10.0
"""A connection that is not over by then has failed."""

_PROTOCOLS = {"tcp": socket.IPPROTO_TCP, "mptcp": 262}


class Client:
    """One run: ``run`` opens connections until ``seconds`` have passed, and waits for those that are open then."""

    def __init__(self, protocol: str, address: str, port: int, path: str, size: int) -> None:
        self._family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self._protocol, self._to, self._size = _PROTOCOLS[protocol], (address, port), size
        self._request = f"GET {path} HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n".encode()
        self._poll = select.epoll()
        self._open: dict[int, _Connection] = {}
        self._in_order: collections.deque[_Connection] = collections.deque()
        self.millis: list[float] = []
        self.failures: collections.Counter[str] = collections.Counter()

    def run(self, rate: float, seconds: float) -> dict[str, Any]:
        """What the module's text says."""
        begun, started, wanted = time.perf_counter(), 0, max(1, round(rate * seconds))
        while started < wanted or self._open:
            now = time.perf_counter()
            while started < wanted and begun + started / rate <= now:
                self._start()
                started += 1
            # A timer that is far off is no reason to sleep through the time-out of a connection.
            until = begun + started / rate if started < wanted else now + 0.1
            for descriptor, _ in self._poll.poll(max(0.0, min(until - time.perf_counter(), 0.1))):
                self._advance(self._open[descriptor])
            self._expire(time.perf_counter())
        return {"wanted": wanted, "seconds": time.perf_counter() - begun, "millis": [round(ms, 2) for ms in self.millis],
                "failures": self.failures}

    def _start(self) -> None:
        try:
            made = socket.socket(self._family, socket.SOCK_STREAM | socket.SOCK_NONBLOCK, self._protocol)
        except OSError as failure:
            self.failures[str(failure.strerror)] += 1
            return
        one = _Connection(made)
        status = made.connect_ex(self._to)
        if status not in (0, errno.EINPROGRESS):
            self._fail(one, errno.errorcode.get(status, str(status)))
            return
        self._open[made.fileno()] = one
        self._in_order.append(one)
        self._poll.register(made, select.EPOLLOUT)

    def _advance(self, one: _Connection) -> None:
        try:
            if not one.asked:
                status = one.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if status:
                    raise OSError(status, "")
                one.socket.send(self._request)
                one.asked = True
                self._poll.modify(one.socket, select.EPOLLIN)
                return
            part = one.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError as failure:
            self._fail(one, errno.errorcode.get(failure.errno or 0, str(failure)))
            return
        if part:
            one.answer += part
            return
        head, _, body = one.answer.partition(b"\r\n\r\n")
        if b" 200 " not in head.partition(b"\r\n")[0] + b" " or len(body) != self._size:
            self._fail(one, "wrong answer" if one.answer else "no answer")
            return
        self.millis.append((time.perf_counter() - one.begun) * 1e3)
        self._forget(one)

    def _expire(self, now: float) -> None:
        while self._in_order and (self._in_order[0].over or self._in_order[0].begun + TIMEOUT_SECONDS < now):
            one = self._in_order.popleft()
            if not one.over:
                self._fail(one, "timed out")

    def _fail(self, one: _Connection, why: str) -> None:
        self.failures[why] += 1
        self._forget(one)

    def _forget(self, one: _Connection) -> None:
        self._open.pop(one.socket.fileno(), None)
        one.over = True
        # Closing takes it out of the poll, too.
        one.socket.close()


class _Connection:
    __slots__ = ("answer", "asked", "begun", "over", "socket")

    def __init__(self, made: socket.socket) -> None:
        self.socket, self.begun = made, time.perf_counter()
        self.asked = self.over = False
        self.answer = b""


def main(protocol: str, address: str, port: str, path: str, rate: str, seconds: str, size: str) -> None:
    """Runs it and prints what it has seen."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(Client(protocol, address, int(port), path, int(size)).run(float(rate), float(seconds))))


if __name__ == "__main__":
    main(*sys.argv[1:])
