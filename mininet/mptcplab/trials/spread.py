# SPDX-License-Identifier: Apache-2.0
"""``./lab bench spread``: what a path that is farther than its siblings brings a connection, or costs it.

Two near paths of 10 Mbit/s lead from the client to the server, and a far one, on which frames take longer each way. The kernel
schedules as it always does. Transfers have its default buffers, or small ones, as programs set that choose their own.
"""

import json
import os
import statistics
from collections.abc import Iterable
from pathlib import Path

from .. import files, filetransfer, netcfg
from ..intervals import interval
from ..processes import wait_for
from ..rest import Json
from ..settings import progress
from ..testbed import Testbed
from ..topology import Link, Topology, parse
from ..transfer import MPTCP, Transfer
from . import bed

SPREADS = (0, 20, 50, 100, 200)
"""By how many milliseconds the far path is longer, each way."""

FIGURES = (("goodput", "20 s, Mbit/s"), ("begin", "first 8 s, Mbit/s"), ("small", "256 kB, 8 s, Mbit/s"),
           ("file", "1 MB file, s"))
"""Payload of a transfer with the kernel's buffers, all of it and its beginning; that of one with small buffers; how long a file
takes."""

_SMALL, _FILE_BYTES, _FILES, _SUBFLOWS = "256K", 1_000_000, 3, 3
_SECONDS, _FIRST_SECONDS = 20, 8
_NEAR, _TCP = "near", "tcp"
_BUFFERS = ("net.ipv4.tcp_congestion_control", "net.mptcp.scheduler", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")


def topology() -> Topology:
    """The far path has one hop more, so that plain TCP takes a near one."""
    links = [{"source": near, "target": middle, "capacityMbps": 10} for near, middle in (
        ("1", "3"), ("3", "5"), ("1", "4"), ("4", "5"), ("1", "2"), ("6", "5"))]
    return parse(json.dumps({"nodes": [{"id": node} for node in "123456"], "pairs": [["1", "5"]], "links": [
        *links, {"source": "2", "target": "6", "capacityMbps": 10, "delayMillis": SPREADS[-1]}]}), "spread")


def run(runs: int, file: str | None) -> int:
    """Inside the namespace: measures so many times, prints the table, and writes JSON to ``file``."""
    load = os.getloadavg()[0]
    found: dict[str, list[Json]] = {}
    with Testbed(topology(), 1, _SUBFLOWS) as testbed:
        bed.prepare(testbed, subflows=_SUBFLOWS, manageAfterMillis=0)
        told = _kernel(testbed)
        with filetransfer.servers(testbed):
            for number in range(1, runs + 1):
                for name, figures in _measured(testbed):
                    found.setdefault(name, []).append(figures)
                    progress(f"run {number} of {runs}, {name}: "
                             + ", ".join(f"{words} {figures[key]:.3g}" for key, words in FIGURES))
        testbed.onos.configure(maxDelaySpreadMillis=0)
    print(table(found, f"{runs} runs, load {load:.1f}; {told}"), flush=True)
    if file:
        files.write(Path(file), json.dumps(entries(found), indent=2) + "\n")
    return 0


def _measured(testbed: Testbed) -> Iterable[tuple[str, Json]]:
    """All of it once: the far path at each distance, then without it, then TCP."""
    far = next(link for link in testbed.network.topology.links if link.is_delayed)
    testbed.onos.configure(maxDelaySpreadMillis=0)
    for millis in SPREADS:
        _set(testbed, far, millis)
        yield str(millis), _figures(testbed)
    testbed.onos.configure(maxDelaySpreadMillis=SPREADS[1] - 1)
    yield _NEAR, _figures(testbed)
    yield _TCP, _figures(testbed, "tcp")


def _set(testbed: Testbed, far: Link, millis: int) -> None:
    """Makes the far path so long, and lets ONOS know."""
    testbed.network.delay(far, millis, millis)
    keys = [netcfg.link_key(testbed.network, *ends) for ends in (far.ends, far.ends[::-1])]
    testbed.onos.rest.post("/network/configuration", {"links": {key: {"basic": {"latency": millis * 1_000_000}} for key in keys}})
    wait_for("the far path's delay", lambda: millis in {
        link["delayMillis"] for link in testbed.onos.rest.get("/mptcp/links")["links"]}, 30)
    # What was under way on that link is lost; its probes and hosts' packets come through again.
    testbed.wait_for_links()
    testbed.let_hosts_speak()


def _figures(testbed: Testbed, protocol: str = "mptcp") -> Json:
    files = []
    for _ in range(_FILES):
        files += bed.sent(bed.send(testbed, [0], _FILE_BYTES, protocol))
        bed.settle(testbed)
    whole = _transfer(testbed, protocol, _SECONDS)
    begin = [part["sum"] for part in whole.intervals() if part["sum"]["end"] <= _FIRST_SECONDS + 0.5]
    return {"goodput": whole.goodput(), "begin": sum(one["bytes"] for one in begin) * 8e-6 / begin[-1]["end"],
            "small": _transfer(testbed, protocol, _FIRST_SECONDS, "-w", _SMALL).goodput(),
            "file": statistics.median(one["seconds"] for one in files)}


def _transfer(testbed: Testbed, protocol: str, seconds: int, *options: str) -> Transfer:
    transfer = testbed.transfer(seconds=seconds, wrapper=MPTCP if protocol == "mptcp" else (), options=options)
    try:
        transfer.finish()
    finally:
        transfer.stop()
    bed.settle(testbed)
    return transfer


def _kernel(testbed: Testbed) -> str:
    """What of the kernel the figures depend on."""
    client = testbed.network.clients[0]
    values = [f"{name.rpartition('.')[2]} {' '.join(client.pexec(['sysctl', '-n', name])[0].split())}" for name in _BUFFERS]
    return f"Linux {os.uname().release}, {', '.join(values)}"


def table(found: dict[str, list[Json]], title: str) -> str:
    """Means of all runs with their 95 % confidence intervals, a line for each length of the far path."""
    lines = [title, f"{'paths':<34}" + "".join(f"{words:>22}" for _, words in FIGURES)]
    for name, words in (*((str(millis), f"two near, one {millis} ms farther") for millis in SPREADS),
                        (_NEAR, "two near"), (_TCP, "one near, plain TCP")):
        lines.append(f"{words:<34}" + "".join(f"{interval([one[key] for one in found[name]], 2):>22}" for key, _ in FIGURES))
    return "\n".join(lines)


def entries(found: dict[str, list[Json]]) -> list[Json]:
    """The contract's list: all three paths beside the two near ones."""
    def mean(name: str, key: str) -> float:
        return statistics.fmean(one[key] for one in found[name])

    return [{"name": f"spread-{millis}-{key}", "unit": "s" if key == "file" else "Mbit/s", "ours": mean(str(millis), key),
             "peer": "two near paths", "peerScore": mean(_NEAR, key),
             "ratio": _ratio(mean(str(millis), key), mean(_NEAR, key), key)}
            for millis in SPREADS for key, _ in FIGURES]


def _ratio(ours: float, peer: float, key: str) -> float:
    return round(peer / ours if key == "file" else ours / peer, 3)

