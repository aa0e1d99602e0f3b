# SPDX-License-Identifier: Apache-2.0
"""What the experiments share: files between hosts, programs in hosts, and networks between experiments."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import LabError
from ..filetransfer import PORT, FileTransfer, all_arrived
from ..hosts import Host, start
from ..processes import end_group, wait_for
from ..rest import Json
from ..settings import ISOLATED
from ..testbed import Testbed
from ..topology import Topology, parse

Row = dict[str, Any]
"""A column's name → its value."""

IDLE_SECONDS = 2
"""Of connections, so that the next experiment soon has the network for itself."""

_QUIET_SECONDS, _SOME_SECONDS = 60, 2
_FOLDER = Path(__file__).parent


def prepare(testbed: Testbed, **settings: object) -> None:
    """Sets these and a short idle time."""
    testbed.onos.configure(idleSeconds=IDLE_SECONDS, **settings)


def settle(testbed: Testbed) -> None:
    """Waits until the application knows no connection that is active."""
    testbed.wait_until_idle(_QUIET_SECONDS)


def wait_for_some(what: str, condition: Callable[[], object], seconds: float = _SOME_SECONDS) -> None:
    """Waits for a condition so long at most; what it never became is left as it is."""
    with contextlib.suppress(LabError):
        wait_for(what, condition, seconds)


def at(moment: float) -> None:
    """Waits for a moment, as ``time.monotonic`` tells it."""
    time.sleep(max(0.0, moment - time.monotonic()))


def connections(testbed: Testbed) -> list[Json]:
    """As the application knows them."""
    found: list[Json] = testbed.onos.rest.get("/mptcp/connections")["connections"]
    return found


def topology(name: str, capacities: Sequence[tuple[str, str, float]], pairs: Sequence[tuple[str, str]]) -> Topology:
    """A topology with these links (two nodes, Mbit/s) and a client and a server at each of the pairs."""
    nodes = list(dict.fromkeys(node for a, b, _ in capacities for node in (a, b)))
    return parse(json.dumps({
        "directed": False, "nodes": [{"id": node} for node in nodes], "pairs": pairs,
        "links": [{"source": a, "target": b, "capacityMbps": mbps} for a, b, mbps in capacities]}), name)


def diamond(pairs: int) -> Topology:
    """Multiflow's: three disjoint paths of 10 Mbit/s between switches 1 and 5, with so many clients and servers there."""
    links = [link for middle in "234" for link in (("1", middle, 10.0), (middle, "5", 10.0))]
    return topology("diamond", sorted(links), [("1", "5")] * pairs)


@contextlib.contextmanager
def openers(testbed: Testbed, subflows: int) -> Iterator[None]:
    """While its body runs, each client's connections to a server for files have so many subflows, on one pair of addresses."""
    network = testbed.network
    running = []
    try:
        for host, count in [*((client, subflows) for client in network.clients), *((server, 1) for server in network.servers)]:
            running.append(start(host, [sys.executable, *ISOLATED, "mptcplab.trials.opener", str(PORT), str(count)]))
        for one in running:
            ready(one)
        yield
    finally:
        for one in running:
            end_group(one)
        for host in (*network.clients, *network.servers):
            # As the program found it: the kernel manages paths.
            host.pexec(["sysctl", "-q", "-w", "net.mptcp.pm_type=0"])


def watcher(host: Host) -> subprocess.Popen[bytes]:
    """Measures the host's joins (``joinwatch``) until it is ended."""
    one = start(host, [sys.executable, "-I", str(_FOLDER / "joinwatch.py"), str(host.defaultIntf().name)])
    ready(one)
    return one


def ready(process: subprocess.Popen[bytes]) -> None:
    """Waits for the line with which a program says that it has begun."""
    line = process.stdout.readline().decode(errors="replace").strip() if process.stdout else ""
    if line != "ready":
        raise LabError(f"a program of an experiment does not start: {line}")


def send(testbed: Testbed, pairs: Sequence[int], size: int, protocol: str = "mptcp", hold: float = 0.0) -> list[FileTransfer]:
    """Starts to send a file of ``size`` bytes between each of these pairs of hosts, for ``hold`` seconds at least."""
    network = testbed.network
    return [FileTransfer(network.clients[pair], network.addresses(network.servers[pair])[0], size, protocol, hold)
            for pair in pairs]


def sent(sending: Sequence[FileTransfer], seconds: float = 300) -> list[Row]:
    """Waits for the ends of what ``send`` has started: for each ``mbps`` (payload), ``seconds`` and ``subflows``."""
    all_arrived(sending, seconds)
    return [{"mbps": round(one.goodput(), 4), "seconds": round(one.seconds, 3), "subflows": one.subflows} for one in sending]
