# SPDX-License-Identifier: Apache-2.0
"""``./lab bench cluster``: what several ONOS nodes cost beside one: set-up and re-route times, connections per second, and bytes
between the nodes."""

import json
import re
import tempfile
import time
from pathlib import Path

from . import files, namespace, topology
from .cluster import Cluster
from .netcfg import switch_name
from .processes import run, wait_for
from .rest import Json
from .settings import progress
from .short_connections import WebServer, busy, prepare
from .testbed import Testbed

NODES = (1, 3)
_AT_ONCE = 20
_BUSY_SECONDS = 6
_SET_UPS = 10
_TRANSFER_SECONDS = 4
_REROUTES = 5
_REROUTE_SECONDS = 60
_IDLE_SECONDS = 5
_SUBFLOWS = 3

ROWS = (("setupMillis", "set-up: a subflow's rules, median", "ms"), ("setupP95Millis", "… 95th percentile", "ms"),
        ("rerouteMillis", "re-route after a failed link, mean", "ms"),
        ("perSecond", "short MPTCP connections, 20 at once", "per s"), ("failed", "… failed", ""),
        ("managedPerSecond", "… that all get paths at once", "per s"), ("managedFailed", "… failed", ""),
        ("bytesPerConnection", "between nodes, a short connection", "B"),
        ("bytesPerManaged", "between nodes, one that gets paths", "B"),
        ("idleBytesPerSecond", "between nodes without connections", "B/s"))
"""Figure, its words, its unit."""


def run_both(file: str | None) -> int:
    """Measures with one node and with three, each in a namespace of its own; prints the table and writes JSON to ``file``.
    Returns the exit status."""
    found: list[Json] = []
    with tempfile.TemporaryDirectory() as folder:
        for nodes in NODES:
            part = Path(folder) / f"{nodes}.json"
            status = namespace.run_inside("mptcplab", ["--inside", "bench", "cluster", "--nodes", str(nodes),
                                                       "--json", str(part)])
            if status:
                return status
            found.append(json.loads(part.read_text(encoding="utf-8")))
    print(table(found), flush=True)
    if file:
        files.write(Path(file), json.dumps(entries(found), indent=2) + "\n")
    return 0


def table(found: list[Json]) -> str:
    """One line for each figure, one column for each number of nodes."""
    lines = ["", f" {'ONOS nodes':<44}" + "".join(f"{one['nodes']:>12}" for one in found)]
    for key, words, unit in ROWS:
        cells = "".join(f"{'–' if one[key] is None else format(one[key], '.1f'):>12}" for one in found)
        lines.append(f" {words + (f', {unit}' if unit else ''):<44}{cells}")
    lines.append(f" {'load of the machine before':<44}" + "".join(f"{one['load']:>12.1f}" for one in found))
    return "\n".join([*lines, ""])


def entries(found: list[Json]) -> list[Json]:
    """The contract's list: several nodes beside one."""
    one, several = found[0], found[-1]
    return [{"name": f"cluster-{key}", "unit": unit, "ours": several[key], "peer": "one ONOS node", "peerScore": one[key],
             "ratio": _ratio(several[key], one[key], unit == "per s")} for key, _, unit in ROWS]


def _ratio(ours: float | None, peer: float | None, more_is_better: bool) -> float | None:
    if not ours or not peer:
        return None
    return round(ours / peer if more_is_better else peer / ours, 3)


def run_inside(nodes: int, file: str | None) -> int:
    """Inside the namespace: measures with so many nodes. Returns the exit status."""
    load = float(Path("/proc/loadavg").read_text(encoding="ascii").split()[0])
    with Testbed(topology.load("diamond"), subflows=_SUBFLOWS, nodes=nodes) as testbed:
        result = {"nodes": nodes, "load": load, **measure(testbed)}
    if file:
        files.write(Path(file), json.dumps(result) + "\n")
    return 0


def measure(testbed: Testbed) -> Json:
    """All figures on one testbed."""
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    address = network.addresses(server)[0]
    figures: Json = {}
    progress("set-up times")
    testbed.onos.configure(manageAfterMillis=0, idleSeconds=5)
    for _ in range(_SET_UPS):
        _transfer(testbed, 1)
    told = _counters(testbed)
    figures["setupMillis"] = told["rules.median-micros"] / 1000
    figures["setupP95Millis"] = told["rules.p95-micros"] / 1000
    progress("re-route times")
    figures["rerouteMillis"] = _reroute(testbed)
    prepare(client)
    with WebServer(server, address, testbed.folder / "web"):
        idle = _idle(testbed)
        figures["idleBytesPerSecond"] = idle
        for managed in (False, True):
            progress(f"{_AT_ONCE} short connections at once, {'all get paths' if managed else 'too short for paths'}")
            testbed.onos.configure(manageAfterMillis=0 if managed else 1000)
            network.ping(client, network.addresses(client)[0], address)
            before, begun = _between(testbed.cluster), time.monotonic()
            short = busy(client, address, "mptcp", 200, _AT_ONCE, _BUSY_SECONDS, testbed.folder)
            after, lasted = _between(testbed.cluster), time.monotonic() - begun
            figures["managedPerSecond" if managed else "perSecond"] = short["perSecond"]
            figures["managedFailed" if managed else "failed"] = short["failed"]
            each = None if before is None or after is None or idle is None else max(
                0.0, after - before - idle * lasted) / max(1, short["requests"])
            figures["bytesPerManaged" if managed else "bytesPerConnection"] = each
    return figures


def _counters(testbed: Testbed) -> Json:
    return testbed.onos.rest.get("/mptcp/counters")["counters"]


def _transfer(testbed: Testbed, seconds: int) -> None:
    transfer = testbed.transfer(seconds=seconds)
    try:
        transfer.finish()
    finally:
        transfer.stop()


def _reroute(testbed: Testbed) -> float:
    """Mean time from ONOS's report of a link's end to ONOS's confirmation of the rules on other paths, milliseconds."""
    network = testbed.network
    transfer = testbed.transfer(seconds=_REROUTE_SECONDS)
    count, seconds = _waits(testbed)
    try:
        for done in range(1, _REROUTES + 1):
            found = wait_for("disjoint paths", lambda: _data(testbed), 30)
            first, second = (switch_name(device) for device in found["subflows"][0]["path"][:2])
            network.set_link(first, second, up=False)
            try:
                wait_for("rules on another path", lambda least=count + done: _waits(testbed)[0] >= least, 20)  # type: ignore[misc]
            finally:
                network.set_link(first, second, up=True)
            testbed.wait_for_links()
    finally:
        transfer.stop()
    after, all_seconds = _waits(testbed)
    return (all_seconds - seconds) * 1000 / (after - count)


def _waits(testbed: Testbed) -> tuple[int, float]:
    """How often subflows got rules on another path so far, and how many seconds that took in all."""
    text = testbed.onos.rest.text("/mptcp/metrics")
    found = dict(re.findall(r"^onos_mptcp_reroute_seconds_(count|sum) (\S+)$", text, re.MULTILINE))
    return int(float(found["count"])), float(found["sum"])


def _data(testbed: Testbed) -> Json | None:
    """The transfer's connection, once its subflows have different paths."""
    for one in testbed.onos.rest.get("/mptcp/connections")["connections"]:
        different = {tuple(s["path"]) for s in one["subflows"] if s["path"]}
        if one["state"] == "active" and len(different) == _SUBFLOWS:
            return dict(one)
    return None


def _idle(testbed: Testbed) -> float | None:
    """Bytes per second between the nodes while nothing happens; None with one node."""
    before, begun = _between(testbed.cluster), time.monotonic()
    if before is None:
        return None
    wait_for("a while without connections", lambda: time.monotonic() >= begun + _IDLE_SECONDS, _IDLE_SECONDS + 5)
    after = _between(testbed.cluster)
    return (after - before) / (time.monotonic() - begun) if after is not None else None


def _between(cluster: Cluster | None) -> int | None:
    """Bytes that the nodes have sent to each other and to the storage node over the connections that they have; None with one."""
    if not cluster:
        return None
    total = 0
    for node in cluster.nodes:
        ends = " or ".join(f"dst {other}" for other in cluster.others(node.address))
        said = run([*cluster.enter(node.address), "ss", "-tniH", f"( {ends} )"], "reading the nodes' connections")
        total += sum(map(int, re.findall(r"bytes_sent:(\d+)", said)))
    return total
