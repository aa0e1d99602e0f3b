# SPDX-License-Identifier: Apache-2.0
"""A transfer over one connection, MPTCP or plain TCP, that checks every byte and runs until a test ends it.

``Stream`` is for tests. Run as a program it is one of the two ends, inside a host.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sending import begin

if TYPE_CHECKING:  # what runs inside a host has only this folder
    from mptcplab.hosts import Host

Json = dict[str, Any]

_MPTCP = 262
_PATTERN = random.Random(8684).randbytes(65521)
_TWICE = _PATTERN * 2
_CHUNK = 65521
_FEW = 4
_SLOW_SECONDS = 0.25
"""Bytes of a slow transfer, so often; a pace, not a wait."""


class Stream:
    """From ``client`` to ``server`` (Mininet hosts), once they are connected, until ``finish`` or ``stop``.

    ``slow``: it sends a few bytes a second until ``hurry``. ``source``: the client's address.
    """

    def __init__(self, client: Host, server: Host, address: str, port: int = 5201, mptcp: bool = True, slow: bool = False,
                 source: str = "") -> None:
        kind = "mptcp" if mptcp else "tcp"
        self._server = _popen(server, "serve", address, port, kind)
        _await(self._server, b"ready\n")
        self._client = _popen(client, "send", address, port, kind, "slow" * slow, source)
        try:
            _await(self._client, b"connected\n")
        except AssertionError:
            self.stop()
            raise
        self.sent: Json = {}
        self.arrived: Json = {}

    def hurry(self) -> None:
        """From now on a slow one sends as much as it can."""
        self._client.send_signal(signal.SIGUSR1)

    def finish(self, seconds: float = 60) -> None:
        """Ends it in order; fails unless all that was sent has arrived, unchanged and without an error on either side.

        Afterwards ``arrived`` has ``bytes``, ``seconds`` and ``longestStall`` in seconds.
        """
        self._client.terminate()
        self.sent = _result(self._client, seconds)
        self.arrived = _result(self._server, seconds)
        assert self.sent["bytes"] == self.arrived["bytes"] > 0, (self.sent, self.arrived)

    def mbps(self) -> float:
        """Mean goodput; after ``finish``."""
        return self.arrived["bytes"] * 8e-6 / self.arrived["seconds"]

    def leave(self, seconds: float = 10) -> None:
        """Ends it in order, if it still runs and both sides end soon, whatever has arrived.

        A kernel whose program is killed in the middle may go on asking for the connection's end for a while, for which the next
        test would wait.
        """
        self._client.terminate()
        for process in (self._client, self._server):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)

    def stop(self) -> None:
        """Ends it at once, if it still runs. Prints what an end has said that failed: it may be why a test does."""
        for process in (self._client, self._server):
            failed = process.poll()
            process.kill()
            said = process.communicate()[0]
            if failed:
                print(f"an end of a stream has ended with {failed}: {said.decode()}")


def _popen(host: Host, *arguments: object) -> subprocess.Popen[bytes]:
    return host.popen([sys.executable, "-s", os.path.abspath(__file__), *map(str, arguments)], stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def _await(process: subprocess.Popen[bytes], line: bytes) -> None:
    assert process.stdout
    said = process.stdout.readline()
    if said != line:
        raise AssertionError((said + process.stdout.read()).decode())


def _result(process: subprocess.Popen[bytes], seconds: float) -> Json:
    out = process.communicate(timeout=seconds)[0].decode()
    assert process.returncode == 0, out
    return json.loads(out)


def _socket(kind: str) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, _MPTCP if kind == "mptcp" else 0)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made


def _serve(address: str, port: str, kind: str) -> None:
    listener = _socket(kind)
    listener.bind((address, int(port)))
    listener.listen(1)
    print("ready", flush=True)
    connection, _ = listener.accept()
    total, begun, last, longest = 0, time.monotonic(), None, 0.0
    while chunk := connection.recv(_CHUNK):
        now = time.monotonic()
        longest = max(longest, now - (last or now))
        last = now
        offset = total % len(_PATTERN)
        if chunk != _TWICE[offset:offset + len(chunk)]:
            raise SystemExit(f"other bytes than were sent, between {total} and {total + len(chunk)}")
        total += len(chunk)
    connection.sendall(str(total).encode())
    connection.close()
    print(json.dumps({"bytes": total, "seconds": time.monotonic() - begun, "longestStall": longest}))


def _send(address: str, port: str, kind: str, pace: str = "", source: str = "") -> None:
    ending: list[bool] = []
    hurried = [True] * (not pace)
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    signal.signal(signal.SIGUSR1, lambda *_: hurried.append(True))
    connection = _socket(kind)
    connection.settimeout(20)
    if source:
        connection.bind((source, 0))
    connection.connect((address, int(port)))
    print("connected", flush=True)
    begin(connection, _PATTERN[:1])
    connection.setblocking(False)
    total = 1
    while not ending:
        if select.select([], [connection], [], 0.1)[1]:
            offset = total % len(_PATTERN)
            total += connection.send(_TWICE[offset:offset + (_CHUNK if hurried else _FEW)])
        if not hurried:
            time.sleep(_SLOW_SECONDS)
    # Whoever waits for this program bounds that.
    connection.settimeout(None)
    connection.shutdown(socket.SHUT_WR)
    answer = b""
    while part := connection.recv(64):
        answer += part
    if answer != str(total).encode():
        raise SystemExit(f"{total} bytes were sent, the other end counted {answer.decode()}")
    print(json.dumps({"bytes": total}))


if __name__ == "__main__":
    ends: dict[str, Callable[..., None]] = {"serve": _serve, "send": _send}
    ends[sys.argv[1]](*sys.argv[2:])
