# SPDX-License-Identifier: Apache-2.0
"""What a running Java process takes: processor time by thread, heap after a collection, and where its time goes. By ``jcmd``."""

import contextlib
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from . import packages
from .errors import LabError
from .processes import processor_seconds

Times = dict[str, float]
"""Seconds of processor time, by the names of threads without their numbers."""

COMPILERS = ("C1 CompilerThread", "C2 CompilerThread")
"""Threads of Java's compilers, by kind."""

_ATTACH_MILLIS = 60_000
"""How long a busy process may take to answer; ten seconds, jcmd's own, were too short once at load 12."""

_TICKS = os.sysconf("SC_CLK_TCK")


class JavaProcess:
    """One Java process of this namespace, asked by a JDK's ``jcmd``."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._jcmd = f"{packages.jdk_home()}/bin/jcmd"
        left = Path(f"/tmp/.java_pid{pid}")
        with contextlib.suppress(OSError):
            # Of another namespace's process with that number, which was killed; Java removes its own user's alone.
            if left.stat().st_uid != Path(f"/proc/{pid}").stat().st_uid:
                left.unlink()

    def seconds(self) -> float:
        """Its processor time so far."""
        return processor_seconds(self.pid)

    def threads(self) -> Times:
        """The same of its living threads."""
        names = {int(number, 16): kind(name) for name, number in
                 re.findall(r'^"(.*?)".*? nid=(0x[0-9a-f]+) ', self.ask("Thread.print"), re.MULTILINE)}
        found: Times = {}
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(OSError):
                user, system = (task / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
                name = names.get(int(task.name), "others of Java's own")
                found[name] = found.get(name, 0) + (int(user) + int(system)) / _TICKS
        return found

    def live_bytes(self, package: str) -> tuple[int, int]:
        """What is on its heap after a full collection: all, and objects of one package's classes, without what these refer to."""
        said = self.ask("GC.class_histogram")
        total = re.search(r"^Total\s+\d+\s+(\d+)", said, re.MULTILINE)
        assert total, "the histogram of classes has no total"
        of_package = re.findall(rf"^ *\d+: +\d+ +(\d+) +{re.escape(package)}", said, re.MULTILINE)
        return int(total[1]), sum(map(int, of_package))

    @contextlib.contextmanager
    def recording(self, file: Path) -> Iterator[None]:
        """While its body runs, Java Flight Recorder samples what runs, into a file that the process can write."""
        self.ask("JFR.start", "name=bench", "settings=profile")
        try:
            yield
        finally:
            self.ask("JFR.stop", "name=bench", f"filename={file}")

    def ask(self, *words: str) -> str:
        """What ``jcmd`` answers to these words. LabError with its first line if it does not go well."""
        done = subprocess.run([self._jcmd, f"-J-Dsun.tools.attach.attachTimeout={_ATTACH_MILLIS}", str(self.pid), *words],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            # The first line says why; a stack trace follows.
            said = (done.stderr + done.stdout).strip().splitlines()
            raise LabError(f"jcmd {words[0]} failed: {said[0] if said else f'status {done.returncode}'}")
        return done.stdout


def kind(thread: str) -> str:
    """A thread's name without its number, and without the address of what it serves."""
    return re.sub(r"([-#]?\d+|-[\d.]+:\d+)$", "", thread) or thread


def grown(before: Times, after: Times) -> Times:
    """By how much times have grown, the greatest first; threads that have ended meanwhile are left out."""
    more = {name: seconds - before.get(name, 0.0) for name, seconds in after.items()}
    return dict(sorted(((name, seconds) for name, seconds in more.items() if seconds > 0), key=lambda one: -one[1]))
