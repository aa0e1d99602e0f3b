# SPDX-License-Identifier: Apache-2.0
"""Helpers for tests of shares: simultaneous transfers, configured capacities, and the controller's figures about them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from conftest import active, connections
from mptcplab.netcfg import device_id
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from mptcplab.transfer import Transfer


@contextmanager
def transfers(testbed: Testbed, ports: Iterable[int], seconds: int) -> Iterator[list[Transfer]]:
    """Simultaneous transfers to these ports of the server; what still runs after the body is ended."""
    started = []
    try:
        for port in ports:
            started.append(testbed.transfer(seconds=seconds, port=port))
        yield started
    finally:
        for transfer in started:
            transfer.stop()


@contextmanager
def capacity(testbed: Testbed, a: str, b: str, mbps: float) -> Iterator[None]:
    """The configured capacity of one direction of a link, put back afterwards."""
    configure_capacity(testbed, a, b, mbps)
    try:
        yield
    finally:
        configure_capacity(testbed, a, b, testbed.network.rate(a, b))


def configure_capacity(testbed: Testbed, a: str, b: str, mbps: float) -> None:
    point = f"{device_id(a)}/{testbed.network.port(a, b)}"
    testbed.onos.rest.post("/network/configuration", {"ports": {point: {"bandwidthCapacity": {"capacityMbps": mbps}}}})


def to_port(testbed: Testbed, port: int) -> tuple[Json | None, list[Json]]:
    """The connections to a port of the server that are not over: (the busiest, the others)."""
    found = [c for c in active(testbed) if c["subflows"][0]["dst"].endswith(f":{port}")]
    found.sort(key=lambda c: -(c["measuredUpMbps"] or 0))
    return (found[0], found[1:]) if found else (None, [])


def expecting(testbed: Testbed, port: int, least: float, subflows: int = 3) -> Json | None:
    """The busiest connection to a port, once all its subflows are there and it is expected to get at least so much."""
    one, _ = to_port(testbed, port)
    if not one or one["state"] != "active" or len(one["subflows"]) != subflows or (one["measuredUpMbps"] or 0) <= 0:
        return None
    return one if one["expectedUpMbps"] >= least else None


def link(testbed: Testbed, a: str, b: str) -> Json:
    return next(seen for seen in testbed.onos.rest.get("/mptcp/links")["links"]
                if seen["source"].startswith(device_id(a)) and seen["target"].startswith(device_id(b)))


def over(one: Json, switch: str) -> list[Json]:
    """The subflows of a connection whose path leads over a switch."""
    return [s for s in one["subflows"] if device_id(switch) in s["path"]]


def allocated(testbed: Testbed) -> dict[tuple[str, str], float]:
    """What ONOS's own resource store has allocated, bit/s by (device, egress port); by its command, which asks the store."""
    sums: dict[tuple[str, str], float] = {}
    device = port = ""
    for line in testbed.onos.shell("allocations").splitlines():
        words = line.split()
        if line.startswith(" of:"):
            device = words[0]
        elif line.startswith("  PortNumber:"):
            port = words[0].split(":")[1]
        elif "allocated by" in line:
            sums[device, port] = sums.get((device, port), 0) + float(words[0])
    return sums


def assert_no_rate_is_odd(testbed: Testbed) -> None:
    """No share, reservation or measured rate is negative, and none exceeds the capacity."""
    for seen in testbed.onos.rest.get("/mptcp/links")["links"]:
        assert 0 <= seen["reservedMbps"] <= seen["capacityMbps"] + 0.001, seen
        assert (seen["measuredMbps"] or 0) >= 0, seen
    for one in connections(testbed):
        for s in one["subflows"]:
            rates = [s[f"{kind}{way}Mbps"] for kind in ("expected", "measured") for way in ("Up", "Down")]
            assert all(0 <= (rate or 0) < 100 for rate in rates), s
