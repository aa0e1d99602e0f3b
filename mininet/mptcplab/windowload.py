# SPDX-License-Identifier: Apache-2.0
"""``./lab bench windows``: the congestion controls of the agent against those that kernels have, on the testbed.

Transfers run at once beside UDP traffic on one link, with one window control after the other, and all of them again. An agent on
each host opens the same subflows with all of them; no rate is limited.
"""

import json
import os
import statistics
import threading
from collections.abc import Sequence
from pathlib import Path

from . import demo, files
from .agents import Agents
from .errors import LabError
from .hosts import Host
from .intervals import FIGURES, fairness, interval
from .rest import Json
from .sampling import subflow_times
from .settings import progress
from .testbed import Testbed
from .topology import Topology
from .transfer import IPERF_PORT, CrossTraffic, Transfer

CONTROLS = ("smptcp", "emptcp", "emptcp-published", "cubic", "reno", "bbr")
"""Unless others are asked for."""

TRANSFERS, SECONDS, UDP_MBPS = 3, 12, 2.0
SUBFLOWS = 3

_FIRST_SECONDS = 2
"""Of a transfer; its round-trip times do not count: paths and windows come about meanwhile."""

_QUIET_SECONDS = 60
_EVERY_SECONDS = 0.25


class Times(threading.Thread):
    """Samples the round-trip times of all subflows that send from some hosts, in milliseconds, until ``stop``."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        super().__init__(daemon=True)
        self._hosts, self._end = hosts, threading.Event()
        self.found: list[float] = []

    def run(self) -> None:
        if self._end.wait(_FIRST_SECONDS):
            return
        while not self._end.wait(_EVERY_SECONDS):
            for host in self._hosts:
                self.found += subflow_times(host)

    def stop(self) -> None:
        """Ends it."""
        self._end.set()
        self.join()


def run(topology: Topology, runs: int, file: str | None, controls: Sequence[str] = CONTROLS) -> int:
    """Inside the namespace: measures these congestion controls, prints the table, and writes JSON to ``file``."""
    found: dict[str, list[Json]] = {name: [] for name in controls}
    with Testbed(topology, min(TRANSFERS, len(topology.pairs)), SUBFLOWS) as testbed:
        demo.configure(testbed.onos, subflows=SUBFLOWS)
        testbed.onos.configure(mostSubflows=SUBFLOWS)
        for number in range(1, runs + 1):
            for name in controls:
                one = _measured(testbed, name)
                found[name].append(one)
                progress(f"run {number} of {runs}, {name}: " + ", ".join(f"{key} {one[key]:.3g}" for key in FIGURES))
    result = {"topology": topology.name, "transfers": TRANSFERS, "seconds": SECONDS, "udpMbps": UDP_MBPS,
              "load": os.getloadavg()[0],
              "windows": [{"name": name, **{key: [one[key] for one in found[name]] for key in FIGURES}} for name in controls]}
    print(text(result), flush=True)
    if file:
        files.write(Path(file), json.dumps(result, indent=2) + "\n")
    return 0


def _measured(testbed: Testbed, name: str) -> Json:
    """One run with a window control."""
    network = testbed.network
    agents = Agents(testbed)
    agents.start(name)
    transfers: list[Transfer] = []
    other = CrossTraffic(network, UDP_MBPS, SECONDS + 2)
    times = Times(network.clients)
    before = [_segments(client) for client in network.clients]
    try:
        for index in range(TRANSFERS):
            turn, pair = divmod(index, len(network.clients))
            transfers.append(testbed.transfer(network.clients[pair], network.servers[pair], SECONDS, IPERF_PORT + turn))
        times.start()
        for transfer in transfers:
            transfer.finish()
        other.finish()
    finally:
        times.stop()
        for transfer in transfers:
            transfer.stop()
        other.stop()
        agents.leave()
    after = [_segments(client) for client in network.clients]
    sent, again = (sum(now[part] - then[part] for now, then in zip(after, before)) for part in (0, 1))
    rates = [transfer.goodput() for transfer in transfers]
    testbed.wait_until_idle(_QUIET_SECONDS)
    return {"goodputMbps": sum(rates), "rttMillis": statistics.fmean(times.found or [0.0]),
            "retransmittedPercent": 100 * again / max(1, sent), "fairness": fairness(rates)}


def text(result: Json) -> str:
    """The table of a result: means with their 95 % confidence intervals."""
    lines = [f"{result['transfers']} transfers of {result['seconds']} s on {result['topology']} beside "
             f"{result['udpMbps']:g} Mbit/s of UDP, {len(result['windows'][0][FIGURES[0]])} runs, load {result['load']:.1f}",
             f"{'window':<18}{'Mbit/s':>16}{'RTT, ms':>16}{'sent again, %':>16}{'fairness':>18}"]
    for one in result["windows"]:
        lines.append(f"{one['name']:<18}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells(one), (16, 16, 16, 18))))
    return "\n".join(lines)


def cells(one: Json) -> list[str]:
    """The figures of one window control, as ``FIGURES``."""
    return [interval(one[key], digits) for key, digits in zip(FIGURES, (1, 1, 2, 3))]


def _segments(host: Host) -> tuple[int, int]:
    """How many TCP segments a host has sent, and how many of them again."""
    table = host.pexec(["cat", "/proc/net/snmp"])[0]
    names, values = [line.split()[1:] for line in table.splitlines() if line.startswith("Tcp:")]
    found = dict(zip(names, map(int, values)))
    try:
        return found["OutSegs"], found["RetransSegs"]
    except KeyError as missing:
        raise LabError(f"{host.name}: no counter {missing} in /proc/net/snmp") from None
