# SPDX-License-Identifier: Apache-2.0
"""Traffic of a file (``./lab demo --traffic FILE``): transfers that arrive when it says, of the sizes or rates that it says.

A file is CSV with a heading. ``at,source,target,bytes``: arrivals, in seconds, and sizes, as for ``./lab simulate``.
``source,target,mbps``: a traffic matrix, of which each transfer sends so much, from the beginning to the end. Nodes have the
names of the topology's file. Demands of SNDlib and REPETITA are such a matrix.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import math
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import commands, filetransfer, provenance
from .errors import LabError, UsageError
from .filetransfer import FileTransfer
from .processes import wait_for
from .rest import Json
from .topology import MAX_CONNECTIONS, Topology

if TYPE_CHECKING:  # the options are read before Mininet is installed
    from .testbed import Testbed
    from .transfer import Transfer

MAX_TRANSFERS = 1000
_PORT = 6001
"""Of the first transfer's server; each has the next one."""
_MOST_SECONDS, _MOST_BYTES = 3600.0, 1e12
_LATE_SECONDS = 600
_WITH_DEMANDS = ("<", "?SNDlib", "DEMANDS")
"""How files of SNDlib and REPETITA begin."""


@dataclasses.dataclass(frozen=True)
class Arrival:
    """A transfer between two switches that begins ``at`` a second; of ``size`` bytes, or of ``mbps`` (Mbit/s) to the end."""

    at: float
    source: str
    target: str
    size: int | None = None
    mbps: float | None = None


def read(file: str, topology: Topology, source: str = "") -> list[Arrival]:
    """The arrivals of a file, in their order in time. ``source``: the topology's own file. UsageError says what is wrong, and in
    which line."""
    nodes = {label: switch for switch, label in topology.labels.items()} | {switch: switch for switch in topology.switches}
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
        if text.lstrip().startswith(_WITH_DEMANDS):
            text = _demands(file, source)
        rows = csv.DictReader(io.StringIO(text, newline=""), skipinitialspace=True)
        fields = set(rows.fieldnames or ())
        if not fields >= {"source", "target"} or not fields & {"bytes", "mbps"}:
            raise UsageError(f"{file}: the first line must name the columns: at,source,target,bytes or source,target,mbps")
        found = [_arrival(row, nodes, f"{file}, line {rows.line_num}") for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as failure:
        raise UsageError(f"{file}: cannot be read: {failure}") from None
    if not 1 <= len(found) <= MAX_TRANSFERS:
        raise UsageError(f"{file} has {len(found)} transfers: the testbed runs 1 to {MAX_TRANSFERS}")
    return sorted(found, key=lambda one: one.at)


def _demands(file: str, source: str) -> str:
    if not Path(source).is_file():
        raise UsageError(f"{file} has demands between the nodes of a network: give its file, too, as --topology FILE")
    return commands.converted(Path(source), "--connections", file)


def _arrival(row: Mapping[str, str | None], nodes: Mapping[str, str], where: str) -> Arrival:
    ends = [row.get(field) or "" for field in ("source", "target")]
    for end in ends:
        if end not in nodes:
            raise UsageError(f"{where}: {end or 'nothing'} is no node of the topology")
    if ends[0] == ends[1]:
        raise UsageError(f"{where}: {ends[0]} sends to itself")
    at = _number(row.get("at") or "0", "at", 0, _MOST_SECONDS, where)
    if row.get("bytes"):
        return Arrival(at, nodes[ends[0]], nodes[ends[1]], size=int(_number(row["bytes"] or "", "bytes", 1, _MOST_BYTES, where)))
    return Arrival(at, nodes[ends[0]], nodes[ends[1]], mbps=_number(row.get("mbps") or "", "mbps", 0.001, 1000, where))


def _number(text: str, name: str, least: float, most: float, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise UsageError(f"{where}: {name} is {text or 'missing'}: it must be a number from {least:g} to {most:g}")
    return number


def attached(topology: Topology, arrivals: Sequence[Arrival]) -> Topology:
    """The same network with a client and a server for each two nodes between which something is sent, in the order in which they
    begin. UsageError if these are too many for one machine."""
    pairs = list(dict.fromkeys((one.source, one.target) for one in arrivals))
    if len(pairs) > MAX_CONNECTIONS:
        raise UsageError(f"the traffic is between {len(pairs)} pairs of nodes: the testbed has hosts for {MAX_CONNECTIONS}")
    if topology.router:
        raise UsageError("--traffic goes with topologies without a router")
    return dataclasses.replace(topology, homes=tuple(((a,), (b,)) for a, b in pairs), connections=len(pairs))


def run(testbed: Testbed, arrivals: Sequence[Arrival], seconds: int) -> Json:
    """Lets all of it happen. Those of a rate end after ``seconds``.

    ``transfers`` has each with ``at`` and ``begunSecond``, from the begin, ``completionSeconds`` and ``goodputMbps``, None for
    one that failed, whose words are in ``failed``; ``run`` is what the machine did meanwhile.
    """
    network, watch = testbed.network, provenance.Watch()
    homes = [(network.homes(client)[0], network.homes(server)[0]) for client, server in zip(network.clients, network.servers)]
    running: list[tuple[Arrival, Transfer | FileTransfer]] = []
    with contextlib.ExitStack() as stack:
        if any(one.size for one in arrivals):
            stack.enter_context(filetransfer.servers(testbed))
        begin = time.monotonic()
        for number, one in enumerate(arrivals):
            wait_for(f"second {one.at:g}", lambda: time.monotonic() >= begin + one.at, _MOST_SECONDS + 1, every=0.005)
            pair = homes.index((one.source, one.target))
            client, server = network.clients[pair], network.servers[pair]
            transfer = (FileTransfer(client, network.addresses(server)[0], one.size) if one.size else
                        testbed.transfer(client, server, max(1, round(seconds - one.at)), _PORT + number,
                                         options=("-b", f"{one.mbps}M")))
            stack.callback(transfer.stop)
            running.append((one, transfer))
        told = [_told(testbed, one, transfer, begin) for one, transfer in running]
    return {"transfers": told, "run": {**watch.told(), "seconds": round(time.monotonic() - begin, 1)},
            "ok": all("failed" not in one for one in told)}


def _told(testbed: Testbed, one: Arrival, transfer: Transfer | FileTransfer, begin: float) -> Json:
    labels = testbed.network.topology.labels
    entry: Json = {"at": one.at, "source": labels[one.source], "target": labels[one.target], "bytes": one.size, "mbps": one.mbps,
                   "begunSecond": None, "completionSeconds": None, "goodputMbps": None}
    try:
        transfer.finish(_LATE_SECONDS)
        entry.update(completionSeconds=round(transfer.seconds, 3), goodputMbps=round(transfer.goodput(), 3))
    except LabError as failure:
        entry["failed"] = str(failure)
    entry["begunSecond"] = round(transfer.started - begin, 3)
    return entry


def table(result: Json) -> str:
    """For people: each transfer if there are few, and a summary."""
    done = [one for one in result["transfers"] if "failed" not in one]
    lines = ["", f" {'at, s':>8} {'from → to':<30} {'wanted':>16} {'took, s':>9} {'goodput':>9}   Mbit/s"]
    for one in result["transfers"][:40]:
        wanted = f"{one['bytes']} B" if one["bytes"] else f"{one['mbps']:g} Mbit/s"
        lines.append(f" {one['at']:>8.2f} {one['source'] + ' → ' + one['target']:<30} {wanted:>16} "
                     + (f"failed: {one['failed']}" if "failed" in one
                        else f"{one['completionSeconds']:>9.2f} {one['goodputMbps']:>9.2f}"))
    lines += [f" … {len(result['transfers']) - 40} more"] if len(result["transfers"]) > 40 else []
    if done:
        late = statistics.median(one["begunSecond"] - one["at"] for one in done)
        mean = statistics.fmean(one["completionSeconds"] for one in done)
        lines.append(f" {len(done)} of {len(result['transfers'])} transfers, mean {mean:.2f} s; they began {1000 * late:.0f} ms "
                     "later than they were to (median)")
    return "\n".join([*lines, provenance.machine(result["run"]), ""])

