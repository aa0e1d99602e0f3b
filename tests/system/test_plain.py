# SPDX-License-Identifier: Apache-2.0
"""Connections without paths of their own: downloads from addresses that ONOS does not know, plain TCP on a link that fails, and
networks without capacity. They go at full rate, and hardly a packet of them comes to the controller."""

import contextlib
import json
import time

import pytest

from conftest import all_tcp_at_the_controller, connections, counters, tell
from life import TIMEOUT, edge, failing, flows, received, settled_packet_ins, transfer
from mptcplab.hosts import listens
from mptcplab.netcfg import capacities
from mptcplab.processes import end_group, wait_for
from mptcplab.sampling import sent_bytes
from packets import Wire, announcement
from programs import MPTCP, TCP
from test_soak import started

FAR = "10.99.0.1"
"""Behind the server, as behind a router."""

MORE_ADDRESSES = [f"10.98.0.{number}" for number in range(1, 17)]
"""With so many ONOS believes no further address of a host without ARP."""

STRANGER = "02:00:00:00:99:01"
PORT = 7005
BY_OTHERS = ",ip "
"""Part of the rule by which the forwarder gets what has no other rule."""

MEGABYTES, LONG_MEGABYTES = 5, 100
MOST_PACKETS = 50
WITHOUT_COPIES = 1000
"""Packets: what a connection sends until it has earned rules (manageAfterBytes) and they are there, and its acknowledgements."""

PART, LONG_PART = 0.5, 0.9
"""Of the link's rate: the least that is full rate on a busy machine, and on a quiet one."""

RELAYING_SECONDS = 3
MOST_RELAYED_MBPS = 2
"""A hundred packets a second, and some that have waited."""

STALL, LONG_STALL = 5, 1
"""Seconds without data after a link has failed, likewise."""


@pytest.fixture
def far(testbed):
    """The client reaches an address behind the server."""
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    with contextlib.ExitStack() as after:
        for host, *command in ((server, "address", "add", f"{FAR}/32", "dev", "lo"),
                               (client, "route", "add", FAR, "via", network.addresses(server)[0])):
            told = host.pexec(["ip", *command])
            assert not told[2], told
            after.callback(host.pexec, ["ip", command[0], "del", *command[2:]])
        after.callback(learn_anew, testbed)
        yield testbed


def learn_anew(testbed):
    """Lets ONOS forget what was announced."""
    for mac in (testbed.network.servers[0].MAC(), STRANGER):
        if any(host["mac"].lower() == mac for host in testbed.onos.rest.get("/hosts")["hosts"]):
            testbed.onos.rest.delete(f"/hosts/{mac}/None")
    testbed.let_hosts_speak()


def announce(testbed, host, mac, *addresses):
    """Lets ONOS know these addresses of a host on another's wire."""
    with Wire(host) as wire:
        def known():
            for address in addresses:
                wire.send(announcement(mac, address))
            return all(mac in owners(testbed, address) for address in addresses)
        wait_for(f"addresses of {mac} in ONOS", known, 20, every=0.5)


def owners(testbed, address):
    return [host["mac"].lower() for host in testbed.onos.rest.get("/hosts")["hosts"] if address in host["ipAddresses"]]


def unknown(testbed):
    server = testbed.network.servers[0]
    announce(testbed, server, server.MAC(), *MORE_ADDRESSES)
    return []


def known_twice(testbed):
    server = testbed.network.servers[0]
    announce(testbed, server, server.MAC(), FAR)
    announce(testbed, testbed.network.net["u1"], STRANGER, FAR)
    return sorted([server.MAC(), STRANGER])


def download(testbed, address, megabytes, protocol=TCP):
    """Gives its rate as a part of the slowest link's, and how many packets of it came to the controller."""
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    serving = started(server, "source", protocol, PORT, megabytes * 1_000_000)
    try:
        wait_for("the server", lambda: listens(server, PORT), TIMEOUT)
        before = at_the_controller(testbed)
        taking = started(client, "download", protocol, address, PORT)
        try:
            out = taking.communicate(timeout=TIMEOUT + 8 * megabytes)[0]
        finally:
            end_group(taking)
        told = json.loads(out)
        packets = at_the_controller(testbed) - before
    finally:
        end_group(serving)
    assert told["bytes"] == megabytes * 1_000_000
    return told["bytes"] * 8e-6 / told["seconds"] / link_rate(network), packets


def at_the_controller(testbed):
    """Packets of TCP that came to the controller. The application counts those that came to it: Open vSwitch adds a flow's last
    packets to the rule that it has next."""
    others = settled_packet_ins(testbed, BY_OTHERS)
    counted = counters(testbed)
    return others + sum(counted[name] for name in ("segments", "segments.copies", "limit.relayed"))


def link_rate(network):
    return min(network.rate(a, b) for a, b in network.neighbours() if {a, b} <= set(network.topology.switches))


@pytest.mark.parametrize(("learn", "copies"), [(unknown, True), (unknown, False), (known_twice, False)])
def test_a_download_from_far_away_stays_in_the_switches(far, learn, copies, capsys):
    download_from_far_away(far, learn, copies, MEGABYTES, PART, capsys)


@pytest.mark.long
@pytest.mark.parametrize(("learn", "copies"), [(unknown, True), (unknown, False), (known_twice, True)])
def test_so_does_a_long_one(far, learn, copies, capsys):
    download_from_far_away(far, learn, copies, LONG_MEGABYTES, LONG_PART, capsys)


def download_from_far_away(testbed, learn, copies, megabytes, part, capsys):
    expected = learn(testbed)
    with contextlib.nullcontext() if copies else all_tcp_at_the_controller(testbed):
        rate, packets = download(testbed, FAR, megabytes)
    assert sorted(owners(testbed, FAR)) == expected
    tell(capsys, f"{megabytes} MB from an address of {len(expected)} hosts, {'with' if copies else 'without'} copies: "
                 f"{rate:.0%} of the link's rate, {packets} packets at the controller")
    assert rate > part
    assert 0 < packets <= (MOST_PACKETS if copies else WITHOUT_COPIES)


@pytest.mark.parametrize("copies", [True, False])
def test_plain_tcp_recovers_where_another_path_exists(testbed, copies, capsys):
    recovers(testbed, copies, STALL, capsys)


@pytest.mark.long
@pytest.mark.parametrize("copies", [True, False])
def test_plain_tcp_recovers_at_once(testbed, copies, capsys):
    recovers(testbed, copies, LONG_STALL, capsys)


def recovers(testbed, copies, most, capsys):
    with contextlib.nullcontext() if copies else all_tcp_at_the_controller(testbed), transfer(testbed, mptcp=False) as running:
        flows(testbed, 2)
        link = link_in_use(testbed)
        with failing(testbed, link) as failure:
            failure.cut()
            flows(testbed, 4)
            assert link_in_use(testbed) != link
            running.finish()
    stall = running.arrived["longestStall"]
    tell(capsys, f"plain TCP after {'-'.join(link)} has failed, {'with' if copies else 'without'} copies: "
                 f"longest stall {1e3 * stall:.0f} ms")
    assert stall < most


def link_in_use(testbed):
    """The link by which the client's switch sends most."""
    network, here = testbed.network, edge(testbed)
    neighbours = [b for a, b in network.neighbours() if a == here and b in network.topology.switches]
    before = sent_bytes()
    flows(testbed)
    now = sent_bytes()
    return here, max(neighbours, key=lambda there: (name := network.interface(here, there)) and now[name] - before[name])


def test_without_a_path_the_controller_forwards_little(testbed, capsys):
    """Switches that copy nothing: every packet without a rule comes to the controller, which could reach the server."""
    network, here = testbed.network, edge(testbed)
    middles = [b for a, b in network.neighbours() if a == here and b in network.topology.switches]
    with all_tcp_at_the_controller(testbed), transfer(testbed, mptcp=False) as running:
        flows(testbed)
        limited = counters(testbed)["limit.relayed"]
        for middle in middles:
            network.set_link(here, middle, up=False)
        wait_for("the limit of what the controller forwards", lambda: counters(testbed)["limit.relayed"] > limited, TIMEOUT)
        relayed, begun = received(testbed), time.monotonic()
        wait_for("a while", lambda: time.monotonic() > begun + RELAYING_SECONDS, 2 * RELAYING_SECONDS)
        rate = (received(testbed) - relayed) * 8e-6 / (time.monotonic() - begun)
        for middle in middles:
            network.set_link(here, middle, up=True)
        testbed.wait_for_links()
        flows(testbed, 4)
        running.finish()
    tell(capsys, f"plain TCP without a path: {rate:.2f} Mbit/s by way of the controller")
    assert rate < MOST_RELAYED_MBPS


def test_without_any_capacity_connections_get_paths_all_the_same(testbed, capsys):
    network = testbed.network
    none = capacities(network)
    for port in none["ports"].values():
        port["bandwidthCapacity"]["capacityMbps"] = 0
    with all_tcp_at_the_controller(testbed, manageAfterMillis=0):
        testbed.onos.rest.post("/network/configuration", none)
        try:
            wait_for("no capacity", lambda: not any(
                link["capacityMbps"] for link in testbed.onos.rest.get("/mptcp/links")["links"]), TIMEOUT)
            rate, packets = download(testbed, network.addresses(network.servers[0])[0], MEGABYTES, MPTCP)
            tell(capsys, f"MPTCP without capacity: {rate:.0%} of a link's rate, {packets} packets at the controller")
            newest = max(connections(testbed), key=lambda c: c["createdMillis"])
            assert all(s["path"] for s in newest["subflows"] if s["state"] == "active"), newest
            assert rate > PART
        finally:
            testbed.onos.rest.post("/network/configuration", capacities(network))
