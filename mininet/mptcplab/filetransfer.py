# SPDX-License-Identifier: Apache-2.0
"""Files between hosts. One is over when its receiver has all of it: iperf3 ends a transfer of a size when the sender's kernel has
taken the last octet, which a large buffer does long before."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import LabError
from .hosts import Host, listens, start
from .processes import end_group, wait_for

if TYPE_CHECKING:  # the options are read before Mininet is installed
    from .testbed import Testbed

PORT = 5600
"""At which servers take files."""

_PROGRAM = str(Path(__file__).with_name("filesend.py"))
_START_SECONDS = 30


@contextlib.contextmanager
def servers(testbed: Testbed) -> Iterator[None]:
    """While its body runs, all servers take files."""
    network = testbed.network
    running = [start(host, [sys.executable, "-I", _PROGRAM, "serve", str(PORT), network.addresses(host)[0]])
               for host in network.servers]
    try:
        wait_for("servers for files", lambda: all(listens(host, PORT) for host in network.servers), _START_SECONDS)
        yield
    finally:
        for one in running:
            end_group(one)


class FileTransfer:
    """A file of ``size`` bytes from a host to a server's address, which takes ``hold`` seconds at least."""

    def __init__(self, client: Host, address: str, size: int, protocol: str = "mptcp", hold: float = 0.0) -> None:
        self._client, self.size = client, size
        self.started = time.monotonic()
        self.seconds, self.subflows = 0.0, 0
        self._running = start(client, [sys.executable, "-I", _PROGRAM, "send", protocol, address, *map(str, (PORT, size, hold))])

    def finish(self, patience: float = 300) -> None:
        """Waits for the end; then ``started`` is when it connected (``time.monotonic``), and ``seconds`` and ``subflows`` are
        known. LabError if it does not go well."""
        try:
            told = self._running.communicate(timeout=patience)[0]
        except subprocess.TimeoutExpired:
            raise LabError(f"a file of {self._client.name} did not arrive within {patience:g} s") from None
        finally:
            self.stop()
        try:
            found = json.loads(told)
        except ValueError:
            lines = told.decode(errors="replace").strip().splitlines()
            raise LabError(f"a file of {self._client.name} did not arrive: {lines[-1] if lines else 'no answer'}") from None
        self.started, self.seconds, self.subflows = found["begun"], found["seconds"], found["subflows"]

    def goodput(self) -> float:
        """Payload by the whole time, Mbit/s; after ``finish``."""
        return self.size * 8e-6 / self.seconds

    def stop(self) -> None:
        """Ends it early."""
        end_group(self._running)


def all_arrived(files: Sequence[FileTransfer], patience: float = 300) -> None:
    """Waits for the end of all; LabError if one does not go well, and the others end, too."""
    try:
        for one in files:
            one.finish(patience)
    finally:
        for one in files:
            one.stop()
