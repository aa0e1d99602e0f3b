# SPDX-License-Identifier: Apache-2.0
"""The user's side: finds the demonstration that runs, asks its console, and enters the network namespaces of its hosts."""

import contextlib
import glob
import json
import os
import socket
import struct
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import LabError, UsageError
from ..rest import Json
from .console import NAME

_CREDENTIALS = struct.Struct("3i")


class Demonstration:
    """One that runs, whose page is at ``port``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.port = int(path.name.rpartition("-")[2])

    def ask(self, action: str, **arguments: object) -> Iterator[str | Json]:
        """The lines of the answer, and then its facts. LabError or UsageError with what the console has to say against it."""
        with self._connect() as connection:
            connection.sendall(json.dumps({"action": action, "arguments": arguments}).encode() + b"\n")
            with connection.makefile(encoding="utf-8") as answers:
                for answer in map(json.loads, answers):
                    if "error" in answer:
                        raise (UsageError if answer["status"] == UsageError.status else LabError)(answer["error"])
                    if "facts" in answer:
                        yield answer["facts"]
                        return
                    yield answer["line"]
        raise LabError("the demonstration has ended meanwhile")

    def facts(self, action: str, **arguments: object) -> Json:
        """The answer's facts alone."""
        *_, facts = self.ask(action, **arguments)
        assert isinstance(facts, dict)
        return facts

    def process(self, inside: int | None) -> int:
        """The number out here of a process that is numbered ``inside`` there; of the testbed's own process if that is None."""
        with self._connect() as connection:
            # The kernel tells it as it is numbered for the one who asks.
            first = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))[0]
        if inside is None:
            return first
        space = os.readlink(f"/proc/{first}/ns/pid")
        for entry in glob.glob("/proc/[0-9]*"):
            try:
                if os.readlink(f"{entry}/ns/pid") == space and _innermost(Path(entry, "status").read_text()) == inside:
                    return int(entry.rpartition("/")[2])
            except OSError:
                continue  # it has ended meanwhile
        raise LabError("that host has ended meanwhile")

    def is_there(self) -> bool:
        """Whether anybody answers: a run that was killed leaves its socket behind."""
        try:
            self._connect().close()
        except OSError:
            return False
        return True

    def _connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(self._path))
        except OSError:
            connection.close()
            raise
        return connection


def find() -> Demonstration:
    """The demonstration that runs; of several the one at the port of MPTCPLAB_HTTP_PORT. UsageError if there is none."""
    running = _running()
    chosen = os.environ.get("MPTCPLAB_HTTP_PORT", "").strip()
    if chosen:
        running = [one for one in running if str(one.port) == chosen]
    if not running:
        raise UsageError(f"no demonstration runs{f' at port {chosen}' if chosen else ''}: start one with ./lab demo, in another "
                         "terminal")
    if len(running) > 1:
        ports = ", ".join(str(one.port) for one in running)
        raise UsageError(f"{len(running)} demonstrations run, with pages at the ports {ports}: choose one with "
                         f"MPTCPLAB_HTTP_PORT={running[0].port}")
    return running[0]


def running(port: int) -> Demonstration | None:
    """The one of this user whose page is at that port."""
    return next((one for one in _running() if one.port == port), None)


def _running() -> list[Demonstration]:
    """Those of this user: to another one's socket nobody gives a command."""
    found = []
    for path in sorted(Path(tempfile.gettempdir()).glob(f"mptcplab-*/{NAME}-*")):
        with contextlib.suppress(FileNotFoundError):  # it has ended meanwhile
            if path.lstat().st_uid == path.parent.lstat().st_uid == os.geteuid():
                found.append(Demonstration(path))
    return [one for one in found if one.is_there()]


def within(process: int, command: Sequence[str], only_network: bool = False) -> list[str]:
    """What runs a command in the namespaces of a process. In the testbed's own process and mount namespace it ends with the
    testbed; ``only_network``: it sees this user's files and processes."""
    spaces = ["--net"] if only_network else ["--net", "--mount", "--pid"]
    # Entering a mount namespace leads to its root folder.
    there = [] if only_network else ["env", f"--chdir={os.getcwd()}"]
    return ["nsenter", f"--target={process}", *spaces, "--", *there, *command]


def _innermost(status: str) -> int:
    """The number of a process in its own namespace, from /proc's ``status``."""
    for line in status.splitlines():
        if line.startswith("NSpid:"):
            return int(line.split()[-1])
    return -1
