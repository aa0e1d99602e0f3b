# SPDX-License-Identifier: Apache-2.0
"""``./lab bench agents``: what many agents cost the controller, and what many connections cost an agent.

The controller is a real ONOS that gets reports over HTTP; the agents are simulated. The agent is the real one, in this network
namespace, with connections that do not leave it.
"""

import contextlib
import json
import os
import resource
import socket
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import files
from .agentcrowd import CONNECTIONS, SUBFLOWS, Crowd, Told
from .errors import LabError
from .login import write_private
from .processes import family, processor_seconds, wait_for
from .processes import run as run_command
from .rest import Json, quote
from .settings import HTTP_PORT, ISOLATED, progress
from .testbed import Controller

AGENTS = 1000
WARM_SECONDS, MEASURED_SECONDS, IDLE_SECONDS = 60, 40, 20
OWN_CONNECTIONS = 100
OWN_SECONDS = 30
MOST_CONTROLLER, MOST_AGENT, MOST_AGENT_MB = 0.10, 0.01, 50
"""Parts of a core, and MB: what each may take."""

_MPTCP = 262
_HOST = "10.254.0.1"
_MESSAGE = b"x" * 1000
_START_SECONDS = 30
_FILES = 4096


@dataclass(frozen=True)
class Figures:
    """``idle`` and ``busy``: parts of a core that the controller takes without agents and with them; ``own``: that of the agent;
    ``own_mb``: its memory; ``backend``: how it limits rates."""

    agents: int
    idle: float
    busy: float
    told: Told
    own: float
    own_mb: float
    backend: str


def run(file: str | None) -> int:
    """Inside the namespace: measures, prints the table, and writes JSON to ``file``. Returns 1 if something takes too much."""
    before = os.getloadavg()[0]
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, max(_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    # As controllers run, for long: with both of Java's compilers. The testbed starts ONOS with the quick one alone.
    os.environ.setdefault("ONOS_JAVA_OPTS", "-XX:TieredStopAtLevel=4")
    with Controller() as controller:
        progress(f"an agent with {OWN_CONNECTIONS} connections")
        own, own_mb, backend = _own(controller)
        progress(f"{AGENTS} agents register")
        tokens = [(host, register(controller, host)) for host in hosts(AGENTS)]
        idle = busy_part(controller.onos.pid(), IDLE_SECONDS)
        with Crowd(tokens, HTTP_PORT) as crowd:
            progress(f"{AGENTS} agents report")
            crowd.run(WARM_SECONDS)
            begun, used = time.monotonic(), processor_seconds(controller.onos.pid())
            told = crowd.run(MEASURED_SECONDS)
            busy = (processor_seconds(controller.onos.pid()) - used) / (time.monotonic() - begun)
    figures = Figures(AGENTS, idle, busy, told, own, own_mb, backend)
    loads = (before, os.getloadavg()[0])
    print(text(figures, loads), flush=True)
    if file:
        files.write(Path(file), json.dumps(entries(figures, loads), indent=2) + "\n")
    return 0 if is_enough(figures) else 1


def hosts(count: int) -> list[str]:
    """So many addresses, all different; none of them is the controller's."""
    return [f"10.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}" for number in range(count)]


def register(controller: Controller, host: str) -> str:
    """Registers a host; returns the token of its agent."""
    return str(controller.onos.rest.post(f"/mptcp/agents/{quote(host)}", {"renew": True})["token"])


def busy_part(pid: int, seconds: float) -> float:
    """The part of a core that a process takes for so long."""
    begun, used = time.monotonic(), processor_seconds(pid)
    wait_for("the end of a measurement", lambda: time.monotonic() >= begun + seconds, seconds + 5)
    return (processor_seconds(pid) - used) / (time.monotonic() - begun)


def is_enough(figures: Figures) -> bool:
    """Whether no figure is above what it may be, and all reports were answered."""
    return (figures.busy - figures.idle <= MOST_CONTROLLER and figures.own <= MOST_AGENT and figures.own_mb <= MOST_AGENT_MB
            and set(figures.told.answers) == {200})


def text(figures: Figures, loads: tuple[float, float]) -> str:
    """The table."""
    told = figures.told
    others = sum(told.answers.values()) - told.answers[200]
    rows = [(f"{figures.agents} agents, {CONNECTIONS} connections of {SUBFLOWS} subflows each", ""),
            ("  the controller takes, % of a core", f"{100 * figures.busy:.1f}"),
            ("  without agents, % of a core", f"{100 * figures.idle:.1f}"),
            (f"  so they cost, % of a core ({100 * MOST_CONTROLLER:.0f} at most)", f"{100 * (figures.busy - figures.idle):.1f}"),
            ("  reports answered per second", f"{told.per_second:.0f}"),
            ("  requests answered otherwise", f"{others}"),
            ("  the controller's time for a report, µs", _cell(_micros(figures))),
            ("  an answer without news comes after, median, ms", _cell(told.percentile(50))),
            ("  the same, 99th percentile, ms", _cell(told.percentile(99))),
            (f"an agent with {OWN_CONNECTIONS} connections, limits by {figures.backend}", ""),
            (f"  takes, % of a core ({100 * MOST_AGENT:.0f} at most)", f"{100 * figures.own:.2f}"),
            (f"  memory, MB ({MOST_AGENT_MB} at most)", f"{figures.own_mb:.0f}")]
    lines = [f" {words:<58}{value:>8}".rstrip() for words, value in rows]
    return "\n".join(["", *lines, "", f" load of the machine {loads[0]:.1f} before, {loads[1]:.1f} after", ""])


def entries(figures: Figures, loads: tuple[float, float]) -> list[Json]:
    """The contract's list; the peer is what each may take, so a ratio above 1 is less than that."""
    found = [("agents-controller", "part of a core", figures.busy - figures.idle, MOST_CONTROLLER),
             ("agents-own", "part of a core", figures.own, MOST_AGENT),
             ("agents-own-memory", "MB", figures.own_mb, MOST_AGENT_MB)]
    return [{"name": name, "unit": unit, "ours": float(f"{ours:.3g}"), "peer": "at most", "peerScore": most,
             "ratio": round(most / ours, 2) if ours > 0 else None, "reportsPerSecond": round(figures.told.per_second, 1),
             "machineLoad": [round(load, 1) for load in loads]} for name, unit, ours, most in found]


def _micros(figures: Figures) -> float | None:
    rate = figures.told.per_second
    return 1e6 * (figures.busy - figures.idle) / rate if rate else None


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _own(controller: Controller) -> tuple[float, float, str]:
    """What the agent takes, with the process that watches over it: part of a core, MB, and its backend."""
    folder = controller.folder / "agent"
    folder.mkdir(mode=0o700)
    # The agent leaves 127.0.0.0/8 alone.
    run_command(["ip", "address", "add", f"{_HOST}/32", "dev", "lo"], "giving the agent's host an address")
    write_private(folder / "token", register(controller, _HOST) + "\n")
    agent = controller.processes.start(
        [sys.executable, *ISOLATED, "mptcpagent", "--controller", f"http://127.0.0.1:{HTTP_PORT}", "--host", _HOST,
         "--token-file", str(folder / "token")], folder / "out",
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "CACHE_DIRECTORY": str(folder)})

    def status() -> Json:
        return next(one for one in controller.onos.rest.get("/mptcp/agents")["agents"] if one["host"] == _HOST)
    wait_for("the agent's first report", lambda: status()["lastReportMillis"] is not None, _START_SECONDS)
    # Both ends of each are on this host, and each end is a connection of its own to the agent.
    with connections(_HOST, OWN_CONNECTIONS // 2):
        wait_for("a report of all connections", lambda: status()["connections"] >= OWN_CONNECTIONS, _START_SECONDS)
        programs = family(agent.pid)
        begun, used = time.monotonic(), sum(map(processor_seconds, programs))
        wait_for("the end of a measurement", lambda: time.monotonic() >= begun + OWN_SECONDS, OWN_SECONDS + 5, every=1)
        part = (sum(map(processor_seconds, programs)) - used) / (time.monotonic() - begun)
        megabytes = sum(map(_private_bytes, programs)) / 1e6
    backend = str(status()["backend"])
    controller.processes.stop(agent)
    controller.onos.rest.delete(f"/mptcp/agents/{quote(_HOST)}")
    return part, megabytes, backend


def _private_bytes(pid: int) -> int:
    """What a process and its relatives have in memory, each page counted once."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    raise LabError("the kernel does not tell the memory of a process")


@contextlib.contextmanager
def connections(address: str, count: int) -> Iterator[None]:
    """While its body runs, so many MPTCP connections from this host to one of its addresses, each with a message a second."""
    ending = threading.Event()
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM, _MPTCP))
        listening.bind((address, 0))
        listening.listen(count)
        clients, servers = [], []
        for _ in range(count):
            client = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM, _MPTCP))
            client.connect(listening.getsockname())
            clients.append(client)
            servers.append(stack.enter_context(listening.accept()[0]))

        def talk() -> None:
            while not ending.wait(1):
                for client, server in zip(clients, servers):
                    client.sendall(_MESSAGE)
                    server.recv(len(_MESSAGE))
        thread = threading.Thread(target=talk)
        thread.start()
        stack.callback(thread.join)
        stack.callback(ending.set)
        yield
