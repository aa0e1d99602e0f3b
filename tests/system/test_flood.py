# SPDX-License-Identifier: Apache-2.0
"""During a flood of hostile segments a real connection is set up, tables stay bounded, and nothing remains afterwards."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from conftest import Heap, active, assert_disjoint, counters, same, settled, state, tell
from life import kernel_says
from mptcplab.errors import LabError
from mptcplab.netcfg import switch_name
from mptcplab.processes import end_group, run, wait_for

HANDSHAKES = 4 * 8192
"""The most that the tracker keeps (TrackerLimits)."""

HOSTS_PER_PORT, ADDRESSES_PER_HOST = 32, 16
"""The most that ONOS is made to believe by packets without ARP (LearningLimits)."""

SPOOFED = {"kind": "mixed", "sources": 8}
RATE = 20_000

MOST_UNANSWERED = 2000
"""SYNs a second and port that nobody answers: ONOS is not shown more (mostUnansweredSynsPerSecond)."""
MOST_COPIES = 8000
"""Segments a second and port: ONOS is not shown more (mostCopiesPerSecond)."""


class Flood:
    """A flood from one host to the port to which a transfer goes. A context manager."""

    def __init__(self, testbed, attacker, **what):
        network = testbed.network
        self._host = network.net[attacker]
        server = network.servers[0]
        self._what = {"interface": self._host.defaultIntf().name, "macs": [self._host.MAC(), server.MAC()],
                      "target": [network.addresses(server)[0], 5201], "seed": 1, **what}

    def __enter__(self):
        self._process = self._host.popen(
            ["/usr/bin/python3", str(Path(__file__).with_name("flood.py")), json.dumps(self._what)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ))
        assert self._process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *_):
        end_group(self._process)

    def runs(self):
        return self._process.poll() is None

    def finish(self):
        """What it sent."""
        return json.loads(self._process.communicate(timeout=self._what["seconds"] + 30)[0])


@pytest.mark.long
def test_a_connection_gets_in_during_a_flood_of_spoofed_syns(testbed, capsys):
    legitimate_during(testbed, capsys, "u1", seconds=10, rate=RATE, **SPOOFED)


@pytest.mark.long
@pytest.mark.parametrize("attacker, what", [
    # As a whole it would fill the link that it shares with one of the paths.
    ("u1", dict(SPOOFED, least_mbps=25)),
    # No pause stops this one.
    ("u1", dict(SPOOFED, rate=1900)),
    # Sources in the hosts' own network: the server asks by ARP for everyone to whom it would answer.
    ("u1", dict(SPOOFED, sources=16)),
    ("u1", dict(SPOOFED, random_macs=True)),
    # The server answers, and the answer is never acknowledged.
    ("u1", {"kind": "capable", "sources": "10.0.9.77"}),
    ("u1", {"kind": "join", "sources": 8}),
    ("u1", {"kind": "third_ack", "sources": 8}),
], ids=["spoofed", "below-the-bound", "from-its-network", "random-macs", "half-open", "joins", "third-acks"])
def test_a_connection_gets_in_during_a_long_flood(testbed, capsys, attacker, what):
    legitimate_during(testbed, capsys, attacker, **{"seconds": 20, "rate": RATE, "transfer_seconds": 12, **what})


@pytest.mark.long
def test_a_connection_of_the_flooding_port_is_carried(testbed, capsys):
    """The controller does not see its SYNs while the port is paused, so it may have no paths; later ones have them again."""
    client = testbed.network.clients[0]
    with Flood(testbed, client.name, seconds=20, rate=RATE, **SPOOFED) as flood:
        wait_for("the client's port paused", lambda: paused_ports(testbed) == {port_of(testbed, client.name)}, 20)
        carried = transfer_of(testbed)
        flood.finish()
    wait_for("no port paused", lambda: not paused_ports(testbed), 60)
    transfer = testbed.transfer(seconds=8)
    try:
        wait_for("the transfer with three subflows", lambda: flowing(testbed), 8)
        transfer.finish()
    finally:
        transfer.stop()
    tell(capsys, f"{carried:.1f} Mbit/s beside a flood from the same port, {transfer.goodput():.1f} after it")
    assert carried > 5


def transfer_of(testbed):
    """The goodput of a transfer, Mbit/s."""
    transfer = testbed.transfer(seconds=8)
    try:
        transfer.finish()
    finally:
        transfer.stop()
    return transfer.goodput()


def with_three_subflows(testbed, seconds):
    """The transfer's connection, once it has them."""
    try:
        return wait_for("the transfer with three subflows", lambda: flowing(testbed), seconds)
    except LabError as failure:
        raise LabError(f"{failure}; {active(testbed)}; {kernel_says(testbed.network.clients[0])}") from failure


def legitimate_during(testbed, capsys, attacker, least_mbps=5, transfer_seconds=8, **what):
    """A transfer that begins in the midst of a flood has its three paths; tables are bounded, and empty afterwards. ONOS is shown
    a bounded part of a flood of SYNs, and no other port pays for it."""
    before, segments, heap_before = settled(testbed), arrived(testbed), Heap(testbed)
    hosts_before = len(hosts(testbed))
    with Flood(testbed, attacker, **what) as flood:
        # Acknowledgements alone are not copied. In the moment before the pause, a switch may drop copies of other ports, too.
        if what["kind"] != "third_ack":
            wait_for("the flood at the controller", lambda: arrived(testbed) > segments + MOST_UNANSWERED // 2, 20)
            if what["rate"] > MOST_UNANSWERED:
                wait_for("the flooding port paused", lambda: paused_ports(testbed) == {port_of(testbed, attacker)}, 20)
        transfer = testbed.transfer(seconds=transfer_seconds)
        try:
            data = with_three_subflows(testbed, what["seconds"])
            assert flood.runs(), "it was to get in during the flood"
            assert_disjoint([s["path"] for s in data["subflows"]])
            most_rules = max(rule_counts(testbed))
            assert_bounded(testbed, hosts_before)
            paused = paused_ports(testbed)
            transfer.finish()
            sent = flood.finish()
        finally:
            transfer.stop()
    wait_for("no handshake remembered", lambda: counters(testbed)["table.handshakes"] == 0, 90)
    wait_for("rules, resources and intents as before", lambda: same(state(testbed), before), 90)
    wait_for("no port paused", lambda: not paused_ports(testbed), 60)
    heap, came = Heap(testbed), arrived(testbed) - segments
    tell(capsys, f"{sent['sent'] / sent['seconds']:.0f} packets/s for {sent['seconds']:.0f} s from {attacker} {what}: "
                 f"{came} came to the controller, transfer {transfer.goodput():.1f} Mbit/s, "
                 f"at most {most_rules} rules in a switch, live heap {heap_before} before, {heap} after")
    assert sent["sent"] > 0.9 * what["rate"] * what["seconds"]
    assert transfer.goodput() > least_mbps
    assert paused <= {port_of(testbed, attacker)}, "no other port pays for it"
    most = MOST_COPIES if what["kind"] == "capable" else MOST_UNANSWERED * (2 if what.get("random_macs") else 1)
    assert came <= most * (sent["seconds"] + 1)
    # Two connections of three subflows, both directions; a rule or two of other applications; the forwarder's for the hosts
    # that ONOS believes.
    assert most_rules < 60 + (HOSTS_PER_PORT if what.get("random_macs") else 0)
    assert_bounded(testbed, hosts_before)
    assert heap.live < 1.25 * heap_before.live, heap.growth(heap_before)


def arrived(testbed):
    """Segments and copies at the controller, with those whose source is not attached where they came in."""
    now = counters(testbed)
    return now["segments"] + now["segments.copies"] + now["spoofed"]


def port_of(testbed, host):
    """Where a host is attached, (switch, port number)."""
    network = testbed.network
    return next((a, network.port(a, b)) for a, b in network.neighbours() if b == host)


def paused_ports(testbed):
    """The ports that bring too many segments, (switch, port number)."""
    found = {switch_name(one["id"]): one["annotations"].get("tcpFlagsPausedPorts", "none")
             for one in testbed.onos.rest.get("/devices")["devices"]}
    return {(switch, int(port)) for switch, ports in found.items() if ports != "none" for port in ports.split(",")}


def flowing(testbed):
    """The connection that carries something over three paths."""
    for connection in active(testbed):
        if len(connection["subflows"]) == 3 and sum((s["measuredUpMbps"] or 0) for s in connection["subflows"]) > 3:
            return connection
    return None


def assert_bounded(testbed, hosts_before):
    now = counters(testbed)
    assert now["table.handshakes"] <= HANDSHAKES
    assert now["table.recent"] <= 8192 and now["table.midstream"] <= 8192
    known = hosts(testbed)
    assert len(known) <= hosts_before + HOSTS_PER_PORT
    assert all(len(host["ipAddresses"]) <= ADDRESSES_PER_HOST for host in known)


def rule_counts(testbed):
    return [len(run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines())
            for switch in testbed.network.topology.switches]


def hosts(testbed):
    return testbed.onos.rest.get("/hosts")["hosts"]
