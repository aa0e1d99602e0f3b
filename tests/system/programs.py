# SPDX-License-Identifier: Apache-2.0
"""Small programs that run in hosts' namespaces: a server that echoes, and clients that connect to it many times.

``python3 programs.py server PROTOCOL PORT``; ``python3 programs.py latency PROTOCOL ADDRESS PORT COUNT`` prints the
milliseconds from SYN to established of each connection as JSON; ``python3 programs.py many PROTOCOL ADDRESS PORT COUNT
AT_ONCE BYTES [FILE]`` prints how many connections carried their bytes there and back, again and again until there is the
file; ``python3 programs.py silent PROTOCOL ADDRESS PORT`` prints its own port and then says nothing until it is ended;
``python3 programs.py drip PROTOCOL ADDRESS PORT`` sends a byte now and then; ``python3 programs.py sink PROTOCOL PORT``
takes what comes; ``python3 programs.py stream PROTOCOL ADDRESS PORT [OWN-PORT]`` sends as much as it can until it is ended;
``python3 programs.py source PROTOCOL PORT BYTES`` sends so many bytes to whoever connects; ``python3 programs.py download
PROTOCOL ADDRESS PORT`` takes them and prints their number and the seconds from SYN to the last of them as JSON; ``python3
programs.py crowd ADDRESS PORT COUNT PER_SECOND BYTES`` and ``python3 programs.py absorb PORT FILE`` are in ``crowds.py``.
PROTOCOL: 0 for TCP, 262 for MPTCP.
"""

import json
import signal
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from crowds import absorb, crowd
from sending import begin

TCP, MPTCP = 0, 262
_TIMEOUT = 60
_PACE_SECONDS = 0.05
_DRIP_SECONDS = 0.5


class _Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while data := self.request.recv(65536):
            self.request.sendall(data)


class _Sink(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while self.request.recv(65536):
            pass


class _Source(socketserver.BaseRequestHandler):
    count = 0

    def handle(self) -> None:
        self.request.sendall(bytes(self.count))


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, protocol: int, port: int, handler: type[socketserver.BaseRequestHandler] = _Echo) -> None:
        super().__init__(("", port), handler, bind_and_activate=False)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol)
        self.server_bind()
        self.server_activate()


def _exchange(connection: socket.socket, count: int) -> bool:
    """Sends so many bytes and takes as many back. The socket's time-out is the longest time without progress."""
    failures: list[OSError] = []

    def send() -> None:
        left = count
        try:
            while left > 0:
                # sendall() has the time-out for all of the bytes together.
                left -= connection.send(b"x" * min(left, 65536))
        except OSError as failure:
            failures.append(failure)
    sender = threading.Thread(target=send)
    sender.start()
    left = count
    while left > 0:
        got = len(connection.recv(65536))
        if not got:
            break
        left -= got
    sender.join()
    if failures:
        raise failures[0]
    return left == 0


def server(protocol: str, port: str) -> None:
    """Echoes until it is ended."""
    _Server(int(protocol), int(port)).serve_forever()


def sink(protocol: str, port: str) -> None:
    """Takes what comes until it is ended."""
    _Server(int(protocol), int(port), _Sink).serve_forever()


def stream(protocol: str, address: str, port: str, own: str = "0") -> None:
    """Connects and sends until it is ended."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, int(protocol)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        connection.bind(("", int(own)))
        connection.connect((address, int(port)))
        begin(connection, b"x")
        while True:
            connection.sendall(b"x" * 65536)


def source(protocol: str, port: str, count: str) -> None:
    """Sends so many bytes to whoever connects, until it is ended."""
    _Source.count = int(count)
    _Server(int(protocol), int(port), _Source).serve_forever()


def download(protocol: str, address: str, port: str) -> None:
    """Takes what comes until the other end closes the connection."""
    total, begun = 0, time.perf_counter()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, int(protocol)) as connection:
        connection.settimeout(_TIMEOUT)
        connection.connect((address, int(port)))
        while data := connection.recv(65536):
            total += len(data)
    print(json.dumps({"bytes": total, "seconds": time.perf_counter() - begun}))


def latency(protocol: str, address: str, port: str, count: str) -> None:
    """One connection after the other; each carries a byte before it ends. They keep a pace: what a connection costs after it is
    established shall not be measured as the set-up of the next one."""
    times = []
    for _ in range(int(count)):
        time.sleep(_PACE_SECONDS)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM, int(protocol)) as connection:
            connection.settimeout(_TIMEOUT)
            begun = time.perf_counter()
            connection.connect((address, int(port)))
            times.append((time.perf_counter() - begun) * 1e3)
            _exchange(connection, 1)
    print(json.dumps(times))


def silent(protocol: str, address: str, port: str) -> None:
    """Connects, prints its own port, and says nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, int(protocol)) as connection:
        connection.settimeout(_TIMEOUT)
        connection.connect((address, int(port)))
        print(connection.getsockname()[1], flush=True)
        signal.pause()


def drip(protocol: str, address: str, port: str) -> None:
    """Connects and sends a byte now and then until it is ended."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, int(protocol)) as connection:
        connection.settimeout(_TIMEOUT)
        connection.connect((address, int(port)))
        while True:
            connection.sendall(b"x")
            time.sleep(_DRIP_SECONDS)


def many(protocol: str, address: str, port: str, count: str, at_once: str, size: str, until: str | None = None) -> None:
    """Connections by so many threads; each carries its bytes, again and again until there is the file, and ends."""
    left = threading.Semaphore(int(count))
    good: list[str] = []
    failures: list[str] = []

    def work() -> None:
        while left.acquire(blocking=False):
            try:
                with socket.socket(socket.AF_INET, socket.SOCK_STREAM, int(protocol)) as connection:
                    connection.settimeout(_TIMEOUT)
                    connection.connect((address, int(port)))
                    is_whole = _exchange(connection, int(size))
                    while is_whole and until and not Path(until).exists():
                        is_whole = _exchange(connection, int(size))
                    (good if is_whole else failures).append("cut off")
            except OSError as failure:
                failures.append(str(failure))
    threads = [threading.Thread(target=work) for _ in range(int(at_once))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"good": len(good), "failures": failures}))


if __name__ == "__main__":
    programs: dict[str, Callable[..., None]] = {"server": server, "latency": latency, "silent": silent, "drip": drip,
                                                "many": many, "sink": sink, "stream": stream, "source": source,
                                                "download": download, "crowd": crowd, "absorb": absorb}
    programs[sys.argv[1]](*sys.argv[2:])
