# SPDX-License-Identifier: Apache-2.0
"""A network, mount and process namespace of its own for everything that a testbed starts.

The kernel does the cleaning up: when the namespace's first process ends, for whatever reason, it ends every process
inside and takes the interfaces with it. Nothing outside is ever touched, and two testbeds do not see each other.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from .errors import LabError, UsageError
from .forwards import Forwards
from .processes import Process
from .settings import ISOLATED, progress

_RUN_FOLDER = "MPTCPLAB_RUN_FOLDER"


def run_inside(module: str, arguments: Sequence[str], ports: Mapping[int, int] | None = None) -> int:
    """Runs ``python3 -m module arguments`` in a new namespace and returns its exit status.

    ``ports`` maps ports on 127.0.0.1 here to the ports inside that they lead to. Ctrl-C, SIGTERM and SIGHUP are passed
    on and answered with status 130, 143 and 129 after the namespace is gone.
    """
    folder = Path(tempfile.mkdtemp(prefix="mptcplab-"))
    forwards = Forwards(folder)
    stage = _stage(folder)
    try:
        stage.mkdir(mode=0o755)
        forwards.open(ports or {})
        return _supervise(_command(module, arguments), dict(os.environ, **{_RUN_FOLDER: str(folder)}))
    finally:
        forwards.close()
        # Out here it is empty: what is mounted on it has gone with the namespace.
        with contextlib.suppress(OSError):
            stage.rmdir()
        shutil.rmtree(folder, ignore_errors=True)


def is_inside() -> bool:
    """Whether this runs inside a testbed's namespace, where nothing outside this machine can be reached."""
    return _RUN_FOLDER in os.environ


def run_folder() -> Path:
    """Inside: the folder for sockets, logs and state of this testbed. It goes when the testbed goes."""
    folder = os.environ.get(_RUN_FOLDER)
    if not folder:
        raise LabError("this runs inside a testbed's namespace only: start it through ./lab")
    return Path(folder)


def stage() -> Path:
    """Inside: a folder that every account can pass through, for mounts. Outside it stays empty; it goes with the testbed."""
    return _stage(run_folder())


def _stage(folder: Path) -> Path:
    return Path("/run", folder.name)


def _leave(status: int) -> NoReturn:
    raise SystemExit(status)


def prepare(leave: Callable[[int], NoReturn] = _leave) -> None:
    """Inside, first thing: loopback up, /sys of this namespace, and termination turned into an exception.

    ``leave``: raises it, called with the exit status that termination is to have.
    """
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda signum, _frame: leave(128 + signum))
    for command in (["ip", "link", "set", "lo", "up"],
                    ["mount", "-t", "sysfs", "sysfs", "/sys"],
                    # tc keeps maps there.
                    ["mount", "-t", "bpf", "bpf", "/sys/fs/bpf"],
                    ["sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1",
                     "net.ipv6.conf.default.disable_ipv6=1"]):
        done = subprocess.run(command, capture_output=True, text=True)
        # Without /sys, BPF's files or IPv6 settings nearly everything works; without loopback nothing does.
        if done.returncode and command[0] == "ip":
            raise UsageError(f"cannot use a network namespace here: {done.stderr.strip()}")


def _command(module: str, arguments: Sequence[str]) -> list[str]:
    # setpriv: if we are killed, the kernel kills unshare, and unshare's --kill-child the namespace.
    return ["setpriv", "--pdeathsig", "KILL",
            "unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
            sys.executable, *ISOLATED, module, *arguments]


def _supervise(command: Sequence[str], environment: Mapping[str, str]) -> int:
    received = []
    # In a session of its own Ctrl-C does not reach it: _wait passes the signal on.
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    previous = {number: signal.signal(number, lambda signum, _: received.append(signum))
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        return _wait(process, received)
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _wait(process: Process, received: Sequence[int]) -> int:
    deadline = None
    while True:
        try:
            status = process.wait(timeout=0.2)
            break
        except subprocess.TimeoutExpired:
            pass
        if received and deadline is None:
            progress("stopping")
            deadline = 100  # × 0.2 s: enough for what is inside to end in order
            first = _first_inside(process.pid)
            if first:
                os.kill(first, signal.SIGTERM)
        elif deadline is not None:
            deadline -= 1
            if deadline <= 0 or len(received) > 1:
                process.kill()
    if received:
        return 128 + received[0]
    return status if status >= 0 else 128 - status


def _first_inside(parent: int) -> int | None:
    """The process id, as seen from here, of the namespace's first process: the only child of ``unshare``."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                return int(entry.name)
    return None
