# SPDX-License-Identifier: Apache-2.0
"""Programs for many long MPTCP connections with little to say, each a single process without threads."""

import contextlib
import heapq
import json
import os
import selectors
import socket
import time
from pathlib import Path

MPTCP = 262
MESSAGE_SECONDS = 1.0
"""From one message of a connection to the next."""

_REPORT_SECONDS = 0.5
_BACKLOG = 1024


def crowd(address: str, port: str, count: str, per_second: str, size: str) -> None:
    """Opens so many connections, so many per second, and sends a message of so many bytes on each of them every second until
    it is ended. Ends with an error as soon as one of them breaks."""
    message = b"x" * int(size)
    connections: list[socket.socket] = []
    begun = time.monotonic()
    # (when, number): a connection that is not there yet is opened, any other one sends.
    due = [(begun + number / float(per_second), number) for number in range(int(count))]
    while due:
        when, number = due[0]
        time.sleep(max(0.0, when - time.monotonic()))
        heapq.heapreplace(due, (when + MESSAGE_SECONDS, number))
        if number == len(connections):
            connections.append(_opened(address, int(port)))
        else:
            _send(connections[number], message)


def _opened(address: str, port: int) -> socket.socket:
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, MPTCP)
    connection.setblocking(False)
    connection.connect_ex((address, port))
    return connection


def _send(connection: socket.socket, message: bytes) -> None:
    # Not established yet, or its buffer is full while a link is down: then the next message has its turn.
    with contextlib.suppress(BlockingIOError):
        connection.send(message)


def absorb(port: str, file: str) -> None:
    """Takes what comes on any number of connections until it is ended; writes the bytes of each, by its client's
    ``address:port``, as JSON into a file again and again."""
    counted: dict[str, int] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, MPTCP) as listening, selectors.DefaultSelector() as selector:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("", int(port)))
        listening.listen(_BACKLOG)
        listening.setblocking(False)
        selector.register(listening, selectors.EVENT_READ)
        report = time.monotonic()
        while True:
            for key, _ in selector.select(_REPORT_SECONDS):
                if key.fileobj is listening:
                    connection, client = listening.accept()
                    connection.setblocking(False)
                    peer = f"{client[0]}:{client[1]}"
                    counted[peer] = 0
                    selector.register(connection, selectors.EVENT_READ, (connection, peer))
                else:
                    connection, peer = key.data
                    got = len(connection.recv(65536))
                    counted[peer] += got
                    if not got:
                        selector.unregister(connection)
                        connection.close()
            if time.monotonic() >= report:
                report = time.monotonic() + _REPORT_SECONDS
                _write(Path(file), counted)


def _write(file: Path, counted: dict[str, int]) -> None:
    """All at once, as somebody may be reading."""
    new = file.with_suffix(".new")
    new.write_text(json.dumps(counted), encoding="utf-8")
    os.replace(new, file)
