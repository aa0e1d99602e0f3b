# SPDX-License-Identifier: Apache-2.0
"""Multiflow (Sandri et al.), Fig. 6, 8 and 10: files on three disjoint paths or one, and how long joins take.

Published for 1, 10 and 100 MB. On one path beside UDP 100 MB take five minutes: they are experiments of their own.
"""

import functools
from collections.abc import Sequence

from .. import filetransfer
from ..agents import Agents
from ..netcfg import switch_name
from ..openvswitch import keeps_syns
from ..processes import end_group, wait_for
from ..sampling import kernel_connections
from ..settings import progress
from ..testbed import Testbed
from ..transfer import CrossTraffic
from . import bed
from .bed import Row

SUBFLOWS, FEW = (3, 8, 16, 32), (3, 16)
"""Of Fig. 6; one run has the few."""

MEGABYTE = 1_000_000
SIZES, LARGE = (1, 10), 100
"""Of files, in MB."""

PEERS = 3
UDP_MBPS = 7.0

_POLICIES = ("share", "block")
_JOINS_A_RUN, _LITTLE, _HOLD_SECONDS = 5, 100, 1.0
"""Connections for the set-up time, with two joins each: so many bytes, for so long. JOINs are not to wait behind them."""

_RULES_SECONDS = 20
_MOST_SECONDS = 500
"""A file of 100 MB takes about 300 on one path beside UDP, and no file takes longer."""

_AT_ONCE = {"manageAfterMillis": 0, "manageAfterBytes": 0}
"""As the paper does: a path with the handshake, not only for connections that last."""


def throughput(runs: int, quick: bool) -> list[Row]:
    """Fig. 6: one MPTCP connection beside UDP on one path, with all subflows on that path and with Multiflow."""
    return _throughput(runs, SIZES, FEW if quick else SUBFLOWS)


def _throughput(runs: int, sizes: Sequence[int], subflow_counts: Sequence[int]) -> list[Row]:
    """With files of ``sizes`` MB."""
    rows = []
    with Testbed(bed.diamond(1), 1, 1) as testbed, filetransfer.servers(testbed):
        bed.prepare(testbed, joinPolicy="share", **_AT_ONCE)
        for number in range(1, runs + 1):
            for subflows in subflow_counts:
                with bed.openers(testbed, subflows):
                    rows += [{"run": number, **row} for row in _beside_udp(testbed, subflows, sizes)]
    return rows


def large_throughput(_runs: int) -> list[Row]:
    """The same with a file of 100 MB over three subflows, once."""
    return _throughput(1, [LARGE], SUBFLOWS[:1])


def _beside_udp(testbed: Testbed, subflows: int, sizes: Sequence[int]) -> list[Row]:
    rows = []
    other = CrossTraffic(testbed.network, UDP_MBPS, 2 * _MOST_SECONDS)
    try:
        for strategy in ("shortest", "multiflow"):
            testbed.onos.configure(strategy=strategy)
            for megabytes in sizes:
                size = megabytes * MEGABYTE
                one = bed.sent(bed.send(testbed, [0], size), _MOST_SECONDS)[0]
                progress(f"{megabytes} MB, {subflows} subflows, {strategy}: {one['mbps']:.2f} Mbit/s with {one['subflows']}")
                rows.append({"strategy": strategy, "asked": subflows, "megabytes": megabytes, **one})
    finally:
        other.stop()
    return rows


def fourth(runs: int) -> list[Row]:
    """Where four subflows of a connection go, with each JOIN policy; how many the kernel has then, and the rate of 10 MB."""
    rows = []
    size = 10 * MEGABYTE
    with Testbed(bed.diamond(1), 1, 1) as testbed, filetransfer.servers(testbed), bed.openers(testbed, 4):
        ingress = testbed.network.topology.pair(0)[0]
        for number in range(1, runs + 1):
            for policy in _POLICIES:
                bed.settle(testbed)
                bed.prepare(testbed, strategy="multiflow", joinPolicy=policy, **_AT_ONCE)
                # Otherwise MP_JOINs may pass before the switches have the rules that keep them.
                wait_for(f"the rules of {policy}", functools.partial(_obeys, ingress, policy), _RULES_SECONDS)
                sending = bed.send(testbed, [0], size)
                paths: list[str] = []

                def placed() -> bool:
                    paths[:] = [_path(subflow["path"]) for one in bed.connections(testbed) if one["state"] == "active"
                                for subflow in one["subflows"]]
                    return len(paths) == 4 and "none" not in paths
                bed.wait_for_some("four subflows", placed)
                here = [len(subflows) for _, subflows in kernel_connections(testbed.network.clients[0], filetransfer.PORT)]
                one = bed.sent(sending)[0]
                rows.append({"run": number, "policy": policy, "paths": " ".join(sorted(paths)), "came": max(here, default=0),
                             "mbps": one["mbps"]})
                progress(f"{policy}: {rows[-1]['paths']}, {rows[-1]['came']} subflows, {one['mbps']:.2f} Mbit/s")
    return rows


def _obeys(switch: str, policy: str) -> bool:
    return keeps_syns(switch) == (policy == "block")


def _path(devices: list[str]) -> str:
    return "-".join(switch_name(device).removeprefix("s") for device in devices) or "none"


def sharing(runs: int, sizes: Sequence[int] = SIZES) -> list[Row]:
    """Fig. 8: three peers at once, over TCP on one path, and over MPTCP with Multiflow; files of ``sizes`` MB."""
    rows = []
    with Testbed(bed.diamond(PEERS), PEERS, 1) as testbed, filetransfer.servers(testbed), bed.openers(testbed, 3):
        bed.prepare(testbed, strategy="multiflow", joinPolicy="share", **_AT_ONCE)
        for number in range(1, runs + 1):
            for protocol in ("tcp", "mptcp"):
                for megabytes in sizes:
                    size = megabytes * MEGABYTE
                    told = bed.sent(bed.send(testbed, range(PEERS), size, protocol), _MOST_SECONDS)
                    progress(f"run {number}: 3 × {megabytes} MB over {protocol}: "
                             + ", ".join(f"{one['mbps']:.2f}" for one in told) + " Mbit/s")
                    rows += [{"run": number, "protocol": protocol, "megabytes": megabytes, "peer": peer, **one}
                             for peer, one in enumerate(told, 1)]
    return rows


def large_sharing(_runs: int) -> list[Row]:
    """The same with files of 100 MB, once."""
    return sharing(1, [LARGE])


def setup(runs: int) -> list[Row]:
    """Fig. 10: how long MP_JOINs take, SYN to SYN/ACK: through Multiflow, with the paths that agents have asked for beforehand,
    and by the forwarder's rules, which are there before."""
    rows = []
    with Testbed(bed.diamond(1), 1, 1) as testbed, filetransfer.servers(testbed):
        bed.prepare(testbed, strategy="multiflow", joinPolicy="share", **_AT_ONCE)
        with bed.openers(testbed, 3):
            rows += _joins(testbed, "multiflow", runs)
            with testbed.without_application():
                rows += _joins(testbed, "proactive", runs)
        testbed.onos.configure(mostSubflows=3)
        agents = Agents(testbed)
        agents.start()
        rows += _joins(testbed, "agents", runs)
        agents.leave()
    return rows


def _joins(testbed: Testbed, way: str, runs: int) -> list[Row]:
    client = testbed.network.clients[0]
    # The hosts' addresses and the forwarder's rules are known before, as in a network with traffic.
    here, there = (testbed.network.addresses(host)[0] for host in (client, testbed.network.servers[0]))
    testbed.network.ping(client, here, there)
    watching = bed.watcher(client)
    try:
        for _ in range(_JOINS_A_RUN * runs):
            bed.sent(bed.send(testbed, [0], _LITTLE, hold=_HOLD_SECONDS))
    finally:
        end_group(watching)
    told = [float(line) for line in watching.communicate()[0].split()]
    progress(f"{way}: {len(told)} joins, {sorted(told)[len(told) // 2] if told else 0:.2f} ms")
    return [{"way": way, "millis": millis} for millis in told]
