# SPDX-License-Identifier: Apache-2.0
"""Ways into the namespace: a port on 127.0.0.1 outside, a Unix socket in between, a port on 127.0.0.1 inside."""

import socket
from collections.abc import Iterable, Mapping
from pathlib import Path

from .errors import UsageError
from .processes import Processes, wait_for
from .settings import port_variable


def require_free(port: int) -> None:
    """UsageError if something listens on that port of 127.0.0.1 already, with the variable that moves ours."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as failure:
            raise UsageError(f"port {port} on 127.0.0.1 is in use ({failure.strerror}): "
                             f"choose another with {port_variable(port)}=…, or end what uses it") from None


class Forwards:
    """The outer halves. They can be opened before anything listens inside: a connection then just closes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes = Processes()

    def open(self, ports: Mapping[int, int]) -> None:
        """``ports``: port outside → port inside. UsageError if one is in use."""
        for port in ports:
            require_free(port)
        for port, inside in ports.items():
            process = self._processes.start(
                # setpriv: if we are killed, the kernel ends it too.
                ["setpriv", "--pdeathsig", "TERM", "socat", f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork",
                 f"UNIX-CONNECT:{socket_of(self._folder, inside)}"], self._folder / f"socat-{port}.log")
            wait_for(f"forwarding 127.0.0.1:{port}", lambda: _listening(port) or process.poll() is not None, 10)
            if process.poll() is not None:
                require_free(port)
                raise UsageError(f"socat could not listen on 127.0.0.1:{port}")

    def close(self) -> None:
        """Ends them."""
        self._processes.stop_all()


def open_inside(folder: Path, ports: Iterable[int], processes: Processes, address: str = "127.0.0.1") -> None:
    """The inner halves, for the given ports inside, of loopback or another address. ``processes`` keeps and ends them."""
    for port in ports:
        processes.start(["socat", f"UNIX-LISTEN:{socket_of(folder, port)},fork", f"TCP:{address}:{port}"],
                        folder / f"socat-inside-{port}.log")


def socket_of(folder: Path, port: int) -> Path:
    """In between: the Unix socket that leads to a port inside."""
    return folder / f"port-{port}.sock"


def _listening(port: int) -> bool:
    """Looks in the kernel's table instead of connecting, which would start a connection inside."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        return any(line.split()[1] == f"0100007F:{port:04X}" and line.split()[3] == "0A" for line in table if ":" in line)
