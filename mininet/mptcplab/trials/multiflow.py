# SPDX-License-Identifier: Apache-2.0
"""Multiflow (Sandri et al.), Fig. 6, 8 and 10: files on three disjoint paths or one, and how long joins take.

Published for 1, 10 and 100 MB. On one path beside UDP 100 MB take five minutes, so that files have 1 and 10 MB here.
"""

import functools

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

SUBFLOWS = (3, 8, 16, 32)
MEGABYTE = 1_000_000
PEERS = 3
UDP_MBPS = 7.0

_POLICIES = ("share", "block")
_JOINS_A_RUN, _LITTLE, _HOLD_SECONDS = 5, 100, 1.0
"""Connections for the set-up time, with two joins each: so many bytes, for so long. JOINs are not to wait behind them."""

_RULES_SECONDS = 20

_AT_ONCE = {"manageAfterMillis": 0, "manageAfterBytes": 0}
"""As the paper does: a path with the handshake, not only for connections that last."""


def throughput(runs: int) -> list[Row]:
    """Fig. 6: one MPTCP connection beside UDP on one path, with all subflows on that path and with Multiflow."""
    rows = []
    with Testbed(bed.diamond(1), 1, 1) as testbed, bed.servers(testbed):
        bed.prepare(testbed, joinPolicy="share", **_AT_ONCE)
        for number in range(1, runs + 1):
            for subflows in SUBFLOWS:
                with bed.openers(testbed, subflows):
                    rows += [{"run": number, **row} for row in _beside_udp(testbed, subflows)]
    return rows


def _beside_udp(testbed: Testbed, subflows: int) -> list[Row]:
    rows = []
    other = CrossTraffic(testbed.network, UDP_MBPS, 600)
    try:
        for strategy in ("shortest", "multiflow"):
            testbed.onos.configure(strategy=strategy)
            for megabytes in (1, 10):
                # On one path 10 MB take half a minute.
                if strategy == "shortest" and megabytes == 10 and subflows > SUBFLOWS[0]:
                    continue
                one = bed.sent(bed.send(testbed, [0], megabytes * MEGABYTE), megabytes * MEGABYTE)[0]
                progress(f"{megabytes} MB, {subflows} subflows, {strategy}: {one['mbps']:.2f} Mbit/s with {one['subflows']}")
                rows.append({"strategy": strategy, "asked": subflows, "megabytes": megabytes, **one})
    finally:
        other.stop()
    return rows


def fourth(runs: int) -> list[Row]:
    """Where four subflows of a connection go, with each JOIN policy; how many the kernel has then, and the rate of 10 MB."""
    rows = []
    size = 10 * MEGABYTE
    with Testbed(bed.diamond(1), 1, 1) as testbed, bed.servers(testbed), bed.openers(testbed, 4):
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
                here = [len(subflows) for _, subflows in kernel_connections(testbed.network.clients[0], bed.PORT)]
                one = bed.sent(sending, size)[0]
                rows.append({"run": number, "policy": policy, "paths": " ".join(sorted(paths)), "came": max(here, default=0),
                             "mbps": one["mbps"]})
                progress(f"{policy}: {rows[-1]['paths']}, {rows[-1]['came']} subflows, {one['mbps']:.2f} Mbit/s")
    return rows


def _obeys(switch: str, policy: str) -> bool:
    return keeps_syns(switch) == (policy == "block")


def _path(devices: list[str]) -> str:
    return "-".join(switch_name(device).removeprefix("s") for device in devices) or "none"


def sharing(runs: int) -> list[Row]:
    """Fig. 8: three peers at once, over TCP on one path, and over MPTCP with Multiflow."""
    rows = []
    with Testbed(bed.diamond(PEERS), PEERS, 1) as testbed, bed.servers(testbed), bed.openers(testbed, 3):
        bed.prepare(testbed, strategy="multiflow", joinPolicy="share", **_AT_ONCE)
        for number in range(1, runs + 1):
            for protocol in ("tcp", "mptcp"):
                for megabytes in (1, 10):
                    size = megabytes * MEGABYTE
                    told = bed.sent(bed.send(testbed, range(PEERS), size, protocol), size)
                    progress(f"run {number}: 3 × {megabytes} MB over {protocol}: "
                             + ", ".join(f"{one['mbps']:.2f}" for one in told) + " Mbit/s")
                    rows += [{"run": number, "protocol": protocol, "megabytes": megabytes, "peer": peer, **one}
                             for peer, one in enumerate(told, 1)]
    return rows


def setup(runs: int) -> list[Row]:
    """Fig. 10: how long MP_JOINs take, SYN to SYN/ACK: through Multiflow, with the paths that agents have asked for beforehand,
    and by the forwarder's rules, which are there before."""
    rows = []
    with Testbed(bed.diamond(1), 1, 1) as testbed, bed.servers(testbed):
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
            bed.sent(bed.send(testbed, [0], _LITTLE, hold=_HOLD_SECONDS), _LITTLE)
    finally:
        end_group(watching)
    told = [float(line) for line in watching.communicate()[0].split()]
    progress(f"{way}: {len(told)} joins, {sorted(told)[len(told) // 2] if told else 0:.2f} ms")
    return [{"way": way, "millis": millis} for millis in told]
