# SPDX-License-Identifier: Apache-2.0
"""The testbed for programs of one's own: ``from mptcplab import Testbed``. The document is ``docs/python.md``.

It starts a demonstration without transfers, and gives it the commands that ``./lab`` gives one, through the same console.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from typing import IO

from .errors import LabError, UsageError
from .processes import wait_for
from .rest import Json
from .settings import ROOT, port
from .shell import client
from .topology import MAX_SUBFLOWS
from .transfer import MOST_SECONDS

_START_SECONDS, _STOP_SECONDS = 900, 60
"""A first start may build everything."""
_LATE_SECONDS = 60
_KILL_SECONDS = 1
_TIMED_OUT = (124, 137)
"""What ``timeout`` ends with if it has ended, or killed, its command."""


class Host:
    """A host of the testbed: its ``name``, its IP ``addresses``, the main one first, and the ``switches`` it is attached to."""

    def __init__(self, running: client.Demonstration, name: str) -> None:
        facts = running.facts("host", name=name)
        self.name, self._running, self._pid = name, running, facts["pid"]
        self.addresses: list[str] = facts["addresses"]
        self.switches: list[str] = facts["switches"]

    def run(self, *command: str, seconds: float = 60) -> str:
        """Runs a command on the host and returns what it prints. LabError if it fails, or is not done after ``seconds``."""
        if not command:
            raise UsageError(f'give {self.name} a command, its words one by one: host("{self.name}").run("ss", "-tni")')
        # On the host, as the command would outlive a time-out here.
        limited = ["timeout", f"--kill-after={_KILL_SECONDS}", f"{seconds:g}", *command]
        words = client.within(self._running.process(self._pid), limited)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode in _TIMED_OUT:
            raise LabError(f"{self.name}: {command[0]} was not done after {seconds:g} s: give it more with seconds=")
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines() or [f"status {done.returncode}"]
            raise LabError(f"{self.name}: {' '.join(command)}: {said[-1]}")
        return done.stdout


class Link:
    """A link between two switches, by its ``name``: ``s1-s2``."""

    def __init__(self, running: client.Demonstration, name: str) -> None:
        # Whether there is one of that name.
        running.facts("interface", place=name)
        self.name, self._running = name, running

    def down(self) -> None:
        """Takes it down at both ends."""
        self._set("down")

    def up(self) -> None:
        """Takes it up again."""
        self._set("up")

    def set_capacity(self, mbps: float) -> None:
        """Gives it another capacity, Mbit/s in each direction, of which ONOS is told; 0.1 to 1000."""
        self._set(f"{mbps:g}")

    def _set(self, what: str) -> None:
        self._running.facts("link", place=self.name, what=what)


class Transfer:
    """A transfer that has been started. It goes on while the program does other things."""

    def __init__(self, running: client.Demonstration, source: str, target: str, seconds: int, tcp: bool,
                 subflows: int | None) -> None:
        self._seconds = seconds
        self._asked = running.ask("transfer", source=source, target=target, seconds=seconds, tcp=tcp,
                                  subflows=subflows)
        self._facts: Json | None = None
        self._failure: LabError | None = None
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def results(self) -> Json:
        """Waits for its end, and returns what it got: ``goodputMbps``, payload that the receiver got; ``samples``, that of each
        second (``second``, ``goodputMbps``); ``subflows`` with their paths, shortly before the end; ``source``, ``target``,
        ``seconds``, ``protocol``. LabError if it failed, or is not done 60 s after its time."""
        self._thread.join(self._seconds + _LATE_SECONDS)
        if self._failure:
            raise self._failure
        if self._facts is None:
            raise LabError("the transfer did not end in time: look at the testbed with ./lab status, in a terminal")
        return self._facts

    def _follow(self) -> None:
        try:
            *_, told = self._asked
            assert isinstance(told, dict)
            self._facts = told
        except LabError as failure:
            self._failure = failure
        except OSError:
            self._failure = LabError("the testbed has ended before the transfer")


class Testbed:
    """Switches, hosts with MPTCP, and ONOS with the application, in network namespaces of their own. A context manager.

    ``topology``: a name (``./lab help`` lists them) or a file that ``./lab plan`` reads. ``subflows``: of each connection, 1 to
    9; ``pairs``: of hosts, h1 and h2, h3 and h4, …; both as the topology's file says unless given. ``strategy``, ``allocator``:
    as for ``./lab demo``. ``congestion``: the hosts' congestion control, such as ``cubic``. ``agents``: whether an agent on each
    host keeps subflows to their shares.

    Rates are Mbit/s, times are seconds unless a name says otherwise. Whatever goes wrong is a LabError, whose message is one line
    and says what to do; a UsageError is one because of a wrong argument.
    """

    def __init__(self, topology: str = "diamond", *, subflows: int | None = None, pairs: int | None = None,
                 strategy: str | None = None, allocator: str | None = None, agents: bool = True,
                 congestion: str | None = None) -> None:
        self.topology = topology
        chosen = {"--subflows": subflows, "--connections": pairs, "--strategy": strategy, "--allocator": allocator,
                  "--congestion": congestion}
        self._options = [word for option, value in chosen.items() if value is not None for word in (option, str(value))]
        self._options += [] if agents else ["--no-agents"]
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        self._running: client.Demonstration | None = None

    def __enter__(self) -> Testbed:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, seconds: float = _START_SECONDS) -> None:
        """Starts it, and waits until switches, hosts and ONOS know each other: half a minute once everything is built.

        LabError if that fails or takes longer than ``seconds``; nothing is left then."""
        if self._process:
            raise UsageError("this testbed runs already: stop() it first, or make another one")
        if os.geteuid() != 0:
            raise UsageError("the testbed needs root for its network namespaces: start Python with sudo")
        here = port("MPTCPLAB_HTTP_PORT")
        if client.running(here):
            raise UsageError(f"a demonstration runs at port {here}: end it, or set MPTCPLAB_HTTP_PORT and MPTCPLAB_SSH_PORT")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  stop() closes it
        # If this program is killed, the kernel ends the testbed. In a session of its own Ctrl-C does not reach it.
        self._process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", str(ROOT / "lab"), "demo", "--idle", "--topology",
                                          self.topology, *self._options], stdin=subprocess.DEVNULL, stdout=self._said,
                                         stderr=self._said, start_new_session=True)
        try:
            wait_for("the testbed's start", lambda: client.running(here) or self._process_ended(), seconds)
            self._running = client.running(here)
            if not self._running:
                raise self._why()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Ends it, with all transfers. What does not run may be stopped, too."""
        process, self._process, self._running = self._process, None, None
        if process:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._said:
            self._said.close()
            self._said = None

    @property
    def hosts(self) -> list[str]:
        """The names of all hosts: h1, h2, …, those for other traffic, u1 and u2, and a router, r1."""
        return list(self._started().facts("names")["hosts"])

    @property
    def links(self) -> list[str]:
        """The names of all links between switches: ``s1-s2``; ``s1-s2#1`` is the second one between the two."""
        return list(self._started().facts("names")["links"])

    def host(self, name: str) -> Host:
        """A host by its name."""
        return Host(self._started(), name)

    def link(self, name: str) -> Link:
        """A link by its name."""
        return Link(self._started(), name)

    def transfer(self, source: str = "h1", target: str = "h2", seconds: int = 10, tcp: bool = False, *,
                 subflows: int | None = None) -> Transfer:
        """Starts a transfer of so many whole seconds, 1 to 3600, over MPTCP or plain TCP. Its ``results()`` wait for its end.

        ``subflows``: the most that each of its connections has, 1 to 9; unless given, hosts and settings decide.
        """
        if not 1 <= seconds <= MOST_SECONDS or seconds != int(seconds):
            raise UsageError(f"a transfer of {seconds} s: give a whole number of seconds from 1 to {MOST_SECONDS}")
        for name in (source, target):
            self.host(name)
        if source == target:
            raise UsageError(f"{source} cannot transfer to itself: give two hosts")
        if subflows is not None and not (1 <= subflows <= MAX_SUBFLOWS and subflows == int(subflows)):
            raise UsageError(f"at most {subflows} subflows: give a whole number from 1 to {MAX_SUBFLOWS}")
        return Transfer(self._started(), source, target, int(seconds), tcp, subflows)

    def results(self) -> Json:
        """What ONOS and the switches tell at this moment.

        ``topology``, ``strategy``, ``allocator``; ``links``, each direction with ``state``, ``capacityMbps``, ``reservedMbps``
        and ``measuredMbps``; ``connections`` that are not over, with their ``subflows``: ``path``, ``expectedMbps``,
        ``measuredMbps``, ``state``.
        """
        return self._started().facts("results")

    def paths(self) -> list[list[str]]:
        """The paths of all active subflows at this moment, each a list of switches."""
        return [path for paths in self._paths_by_connection() for path in paths]

    def wait_for_paths(self, count: int, seconds: float = 30) -> list[list[str]]:
        """Waits until a connection has exactly so many active subflows, and returns their paths. LabError after ``seconds``."""
        return wait_for(f"a connection with {count} active subflows",
                        lambda: next((paths for paths in self._paths_by_connection() if len(paths) == count), None), seconds)

    def _paths_by_connection(self) -> list[list[list[str]]]:
        return [[subflow["path"] for subflow in one["subflows"] if subflow["state"] == "active"]
                for one in self.results()["connections"]]

    def _started(self) -> client.Demonstration:
        if self._process and self._process.poll() is not None:
            raise self._why()
        if not self._running:
            raise UsageError("the testbed does not run: start() it, or use it in a with statement")
        return self._running

    def _process_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _why(self) -> LabError:
        """What the process that has ended said last."""
        status = self._process.returncode if self._process else 0
        said = [line.removeprefix("lab: ") for line in self._lines() if line.startswith("lab: ")]
        reason = said[-1] if said else f"the testbed has ended with status {status}: ./lab demo --once shows why"
        return (UsageError if status == UsageError.status else LabError)(reason)

    def _lines(self) -> Iterator[str]:
        if self._said:
            self._said.seek(0)
            yield from self._said.read().decode(errors="replace").splitlines()
