# SPDX-License-Identifier: Apache-2.0
"""Short connections to a web server beside a transfer: each is answered, and the transfer keeps its disjoint paths."""

from conftest import assert_disjoint, tell
from life import SUBFLOWS
from mptcplab import demo
from mptcplab.short_connections import Wanted

PER_SECOND = 50
SECONDS = 10


def test_short_connections_beside_a_transfer(testbed, capsys):
    client = testbed.network.clients[0]
    before = offered(client)
    result, problems = demo.demonstrate(testbed, SECONDS, SUBFLOWS, short=Wanted(PER_SECOND))
    assert not problems
    short = result["short"]
    alone = short["forwarderAlone"]
    tell(capsys, f"{PER_SECOND} short MPTCP connections per second beside a transfer, p50 and p99: {short['p50Millis']:.1f} and "
                 f"{short['p99Millis']:.1f} ms, the forwarder alone {alone['p50Millis']:.1f} and {alone['p99Millis']:.1f} ms")
    assert set(short) == {"protocol", "bytes", "wantedPerSecond", "perSecond", "requests", "failed", "causes", "p50Millis",
                          "p99Millis", "forwarderAlone"}
    assert set(alone) == {"perSecond", "failed", "p50Millis", "p99Millis", "goodputMbps"}
    assert (short["protocol"], short["bytes"], short["wantedPerSecond"], short["failed"]) == ("mptcp", 200, PER_SECOND, 0)
    # They begin a moment after the transfer, and end with it.
    assert PER_SECOND * (SECONDS - 2) <= short["requests"] <= PER_SECOND * SECONDS
    assert 0 < short["p50Millis"] <= short["p99Millis"] and 0 < short["perSecond"] <= PER_SECOND + 1
    assert offered(client) - before >= short["requests"], "they were MPTCP, as the server agreed"
    data = result["connections"][0]
    assert len(data["subflows"]) == SUBFLOWS
    assert_disjoint([s["path"] for s in data["subflows"]])


def offered(host):
    """How many MPTCP connections of a host the other side has agreed to."""
    told = host.pexec(["nstat", "-asz", "MPTcpExtMPCapableSYNACKRX"])[0]
    return int(told.split("MPTcpExtMPCapableSYNACKRX")[1].split()[0])
