# SPDX-License-Identifier: Apache-2.0
"""The farm of switches that speak OpenFlow 1.3 and do not forward (``tests/farm``): a program of its own, and commands to it."""

import contextlib
import json
import queue
import subprocess
import threading
from pathlib import Path

from . import packages
from .errors import LabError
from .processes import end_group
from .rest import Json
from .settings import OPENFLOW_PORT, ROOT

JAR = ROOT / "tests" / "farm" / "target" / "onos-mptcp-farm.jar"
LEAST_SWITCHES, MOST_SWITCHES = 20, 1000
_PROFILE = "org.subflow.mptcp.farm.Profile"
_HEAP = "-Xmx2g"
_ANSWER_SECONDS = 30


class Farm:
    """A context manager; inside it a farm connects to an ONOS in the same namespace.

    ``subflows``: of each connection; ``rate``: bytes a second of each subflow; ``confirm``: milliseconds that a switch takes for
    a barrier; ``log``: for what it says on standard error.
    """

    def __init__(self, switches: int, subflows: int, rate: int, confirm: float, log: Path, seed: int = 1) -> None:
        self._arguments = [switches, subflows, rate, confirm, seed]
        self._log = log
        self._lines: queue.Queue[str] = queue.Queue()
        self._process: subprocess.Popen[str]

    def __enter__(self) -> "Farm":
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [f"{packages.java_home()}/bin/java", _HEAP, "-jar", str(JAR), "127.0.0.1", str(OPENFLOW_PORT),
                 *map(str, self._arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                start_new_session=True)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        end_group(self._process)

    @property
    def pid(self) -> int:
        """Its Java process."""
        return self._process.pid

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)
        self._lines.put("")

    def ask(self, command: str, seconds: float = _ANSWER_SECONDS) -> Json:
        """The answer to a command (``Console`` of tests/farm lists them). LabError if there is none within so many seconds."""
        try:
            assert self._process.stdin
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(command + "\n")
                self._process.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise LabError(f"the farm of switches has not answered {command!r} within {seconds:g} s") from None
        if not line:
            raise LabError(f"the farm of switches has ended: {self._words()}")
        answer: Json = json.loads(line)
        if "error" in answer:
            raise LabError(f"the farm of switches does not do {command!r}: {answer['error']}")
        return answer

    def state(self) -> Json:
        """What there is, and counters since its start. LabError if ONOS has closed a switch's connection."""
        state = self.ask("state")
        if state["lost"]:
            raise LabError(f"ONOS has closed the connection of a switch of the farm: {state['lost']}")
        return state

    def _words(self) -> str:
        said = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return said[0] if said else f"status {self._process.wait()}"


def profile(recording: Path) -> Json:
    """What a Java Flight Recorder file says of where time went, as ``Profile`` of tests/farm sums it up."""
    return _profile(recording)


def stacks(recording: Path) -> dict[str, int]:
    """How many samples of such a file had each stack, as ``flamegraph`` draws them."""
    return _profile(recording, "stacks")


def _profile(recording: Path, *what: str) -> Json:
    done = subprocess.run([f"{packages.java_home()}/bin/java", "-cp", str(JAR), _PROFILE, str(recording), *what],
                          capture_output=True, text=True)
    if done.returncode:
        raise LabError(f"the profile cannot be read: {(done.stderr.strip().splitlines() or ['no message'])[0]}")
    summary: Json = json.loads(done.stdout)
    return summary
