# SPDX-License-Identifier: Apache-2.0
"""Starts and ends processes, and waits for conditions."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from .errors import EndedError, LabError

T = TypeVar("T")

Process = subprocess.Popen[bytes]
"""A started process; its output goes to a file or is read as bytes."""


def wait_for(what: str, condition: Callable[[], T | None], seconds: float, every: float = 0.1) -> T:
    """Polls ``condition`` until it returns something true, and returns that.

    ``what`` completes the sentence "… did not happen within N s"; LabError carries it when time is up.
    A condition that raises OSError or LabError counts as not yet true; the last one is told. EndedError ends the wait.
    """
    end = time.monotonic() + seconds
    last = None
    while True:
        try:
            value = condition()
            if value:
                return value
        except EndedError:
            raise
        except (OSError, LabError) as failure:
            last = failure
        if time.monotonic() >= end:
            raise LabError(f"{what}: not within {seconds:g} s" + (f" ({last})" if last else ""))
        time.sleep(every)


def processor_seconds(pid: int) -> float:
    """The processor time that a process has taken so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text(encoding="ascii").split()]


def family(pid: int) -> list[int]:
    """A process, those that it has started, and those that these have started; without those that end meanwhile."""
    found = [pid]
    for member in found:
        with contextlib.suppress(OSError):
            found += children(member)
    return found


class Processes:
    """Keeps the group of every process started here and ends these, and no others."""

    def __init__(self) -> None:
        self._running: list[Process] = []

    def start(self, command: Sequence[str], log: Path | str, **options: Any) -> Process:
        """Starts ``command`` in a session of its own, standard input closed, output appended to the file ``log``."""
        with open(log, "ab") as out:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                       start_new_session=True, **options)
        self._running.append(process)
        return process

    def stop(self, process: Process, seconds: float = 10) -> None:
        """Ends one process and its group: asks first, insists after ``seconds``."""
        if process in self._running:
            self._running.remove(process)
        end_group(process, seconds)

    def kill(self, process: Process) -> None:
        """Ends one process and its group without asking, as a crash does."""
        self._running.remove(process)
        end_group(process, signals=(signal.SIGKILL,))

    def stop_all(self) -> None:
        """Ends all of them, the youngest first."""
        while self._running:
            self.stop(self._running[-1])


def end_group(process: subprocess.Popen[Any], seconds: float = 10,
              signals: Iterable[signal.Signals] = (signal.SIGTERM, signal.SIGKILL)) -> None:
    """Sends each signal to the group that ``process`` leads, the next one when it is still there after ``seconds``."""
    for sig in signals:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sig)
        try:
            process.wait(timeout=seconds)
            return
        except subprocess.TimeoutExpired:
            continue


def run(command: Sequence[str], what: str, **options: Any) -> str:
    """Runs a short command to its end and returns its output; LabError with its last line if it fails."""
    done = subprocess.run(command, stdin=options.pop("stdin", subprocess.DEVNULL) if "input" not in options else None,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        lines = done.stdout.strip().splitlines() or [f"status {done.returncode}"]
        raise LabError(f"{what} failed: {lines[-1]}")
    return done.stdout
