# SPDX-License-Identifier: Apache-2.0
"""A router between two subnets, at one port of the fabric, on the network ``routed``: a connection through it has two legs, each
a connection of its own with paths of its own."""

import contextlib
import re
import time

import pytest

import crossing
from conftest import active, counters, tell
from crossing import NEARLY_ALL, attached, connects, count_segments, listening, make_router, soon
from life import LEAST_MBPS, TIMEOUT, TRANSFER_PORT, flows, paths, received, transfer
from mptcplab.hosts import CLIENTS_SUBNET, PREFIX, SERVERS_SUBNET, gateway
from mptcplab.processes import run, wait_for
from packets import SYN, Wire, announcement, frame
from stream import Stream

ENDS = [("s1", "s5"), ("s5", "s9")]
GATEWAYS = (gateway(CLIENTS_SUBNET), gateway(SERVERS_SUBNET))
BROADCAST = "ff:ff:ff:ff:ff:ff"

NEW_PORT_SECONDS = 6
"""For 5 seconds after a port has come up, ONOS believes of no host that it has moved there: a link may begin there."""

FOLLOWS_SECONDS = 2
"""Until a connection's rules lead to the gateway's new port, on a machine that is busy with other things; 0.1 to 0.8 on a quiet
one. If the old port stays up, it is 0.9: nobody may answer there for 0.5 seconds before ONOS believes it, nor for another 0.25
then. When data comes there depends on how long the sender's kernel waits before it repeats a segment."""

LATER_SECONDS = 1
"""Than with the forwarder alone, at most."""
PATIENCE_SECONDS = 20
"""A release's forwarder alone keeps its rules to the old port as long as somebody sends there."""

MANY_MBIT = 20
"""Of a transfer that has its paths by then."""

LIES = 30


class CrossingRouted(crossing.NoLess):
    """From one subnet to the other."""


def test_each_leg_has_paths_of_its_own_and_outlives_a_link(testbed, delivery):
    with transfer(testbed) as running:
        before = crossing.wait_for_legs(testbed, ENDS)
        assert len({one["id"] for one in before}) == 2
        for link in (("s1", "s3"), ("s7", "s9")):
            crossing.assert_outlives(testbed, link)
        after = crossing.wait_for_legs(testbed, ENDS)
        assert [one["id"] for one in after] == [one["id"] for one in before]
        running.finish()


def test_a_router_may_be_a_client(testbed):
    network = testbed.network
    running = Stream(network.router, network.servers[0], network.addresses(network.servers[0])[0])
    try:
        wait_for("its connection on a path", lambda: [(path[0], path[-1]) for one in active(testbed) for path in paths(one)] == [
            ("s5", "s9")], TIMEOUT)
        flows(testbed)
        running.finish()
    finally:
        running.stop()
    assert running.mbps() > LEAST_MBPS


@pytest.mark.parametrize("old", ["port-down", "port-up"])
def test_a_connection_follows_a_gateway_that_moves(testbed, old, capsys):
    """As with VRRP: addresses and virtual MAC address are at another port a moment later. The router there says so again and
    again."""
    with standby(testbed) as (other, stands_by), transfer(testbed) as running:
        crossing.wait_for_legs(testbed, ENDS)
        with moved(testbed, other, stands_by, old) as began:
            data = data_at(other)

            def follows():
                announce(other)
                return len(subflows_to(other)) == crossing.SUBFLOWS
            wait_for("rules to the gateway's new port", follows, TIMEOUT, every=0.05)
            followed = time.monotonic() - began
            wait_for("data there", data, TIMEOUT, every=0.05)
            tell(capsys, f"the gateway moved, {old}: all subflows lead to its new port after {followed:.2f} s, "
                         f"and data is there after {time.monotonic() - began:.2f}")
            flows(testbed)
            crossing.wait_for_legs(testbed, ENDS)
            assert followed <= FOLLOWS_SECONDS
        wait_for("data by the first router", lambda: speaks_again(testbed), TIMEOUT)
        running.finish()


@pytest.mark.long
@pytest.mark.parametrize("old", ["port-down", "port-up"])
def test_a_gateway_that_moves_is_followed_no_later_than_by_the_forwarder_alone(testbed, old, capsys):
    ours = seconds_until_data(testbed, old)
    with testbed.without_application():
        alone = seconds_until_data(testbed, old)
        crossing.wait_until_closed(testbed)
    tell(capsys, f"the gateway moved, {old}: data is at its new port after {ours:.2f} s; the forwarder alone: "
                 + (f"{alone:.2f}" if alone < PATIENCE_SECONDS else f"not within {alone} s"))
    assert ours <= alone + LATER_SECONDS


def seconds_until_data(testbed, old):
    """From a gateway's move under a transfer until 100 kB are at its new port; `PATIENCE_SECONDS` if not by then."""
    with standby(testbed) as (other, stands_by), transfer(testbed):
        flows(testbed, MANY_MBIT)
        with moved(testbed, other, stands_by, old) as began:
            data = data_at(other)

            def follows():
                announce(other)
                return data()
            soon(follows, PATIENCE_SECONDS)
            seconds = min(PATIENCE_SECONDS, time.monotonic() - began)
        speaks_again(testbed)
    return seconds


@contextlib.contextmanager
def standby(testbed):
    """A second router, and from when on its port is not new any more (``time.monotonic``)."""
    with attached("s5", "r2", "02:00:00:00:09:02", "10.0.255.253") as other:
        make_router(other)
        yield other, time.monotonic() + NEW_PORT_SECONDS


@contextlib.contextmanager
def moved(testbed, other, stands_by, old):
    """The gateway's addresses and its MAC address are at ``other`` meanwhile, once it stands by, and at the first router again
    afterwards; gives when it began (``time.monotonic``)."""
    network = testbed.network
    mac = network.router.MAC()
    wait_for("the standby's port not new any more", lambda: time.monotonic() > stands_by, TIMEOUT)
    try:
        stand_down(network, old)
        other.take(mac, *GATEWAYS)
        yield time.monotonic()
    finally:
        other.run(["ip", "link", "set", "wire", "down"])
        stand_up(network, mac)


def data_at(other):
    """Whether much data has come there since."""
    before = other.received()
    return lambda: other.received() > before + 100_000


def announce(other):
    for address in GATEWAYS:
        other.announce(address)


def subflows_to(host):
    """The subflows of the transfer that rules in its switch lead to a further host on their way to the server, by their source
    ports. Plain rules of the first moment may be there beside those of paths."""
    number = run(["ovs-vsctl", "get", "Interface", host.port, "ofport"], "asking for a port's number").strip()
    rules = run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", host.switch], "reading rules").splitlines()
    return {found[1] for rule in rules if rule.endswith(f"output:{number}")
            and (found := re.search(rf"tp_src=(\d+),tp_dst={TRANSFER_PORT}\b", rule))}


def stand_down(network, old):
    """The router's interface goes down, or has neither its virtual MAC address nor its addresses any more."""
    router = network.router
    if old == "port-down":
        network.set_interface(router, 0, up=False)
    else:
        for command in ("ip link set r1-eth0 address 02:00:00:00:09:01", "ip address flush dev r1-eth0"):
            router.pexec(command)


def stand_up(network, mac):
    router = network.router
    for command in (f"ip link set r1-eth0 address {mac}", "ip link set r1-eth0 up"):
        router.pexec(command)
    for subnet in (CLIENTS_SUBNET, SERVERS_SUBNET):
        router.pexec(f"ip address replace {gateway(subnet)}/{PREFIX} dev r1-eth0")


def speaks_again(testbed):
    router = testbed.network.router
    with Wire(router) as wire:
        for address in GATEWAYS:
            wire.send(announcement(router.MAC(), address))
    before = received(testbed)
    return bool(soon(lambda: received(testbed) > before + 50_000, 1))


def test_who_sends_with_the_gateways_mac_address_takes_nothing(testbed, delivery):
    if testbed.onos.is_release:
        pytest.skip("a release believes him: see the next test")
    with transfer(testbed) as running:
        before = crossing.wait_for_legs(testbed, ENDS)
        assert stolen(testbed) == 0
        assert [paths(one) for one in crossing.legs(testbed)] == [paths(one) for one in before]
        running.finish()


@pytest.mark.long
def test_who_sends_with_the_gateways_mac_address_takes_no_more_than_with_the_forwarder_alone(testbed, capsys):
    with transfer(testbed) as running:
        crossing.wait_for_legs(testbed, ENDS)
        without_forwarding(testbed)
        ours = stolen(testbed)
        crossing.wait_for_legs(testbed, ENDS)
        flows(testbed, MANY_MBIT)
        running.finish()
    # Otherwise the forwarder would go on taking the liar for the gateway.
    speaks_again(testbed)
    with testbed.without_application():
        with transfer(testbed):
            flows(testbed)
            beside = stolen(testbed)
        speaks_again(testbed)
        crossing.wait_until_closed(testbed)
        without_forwarding(testbed)
        alone = stolen(testbed)
        speaks_again(testbed)
    tell(capsys, f"who sends {LIES} times with the gateway's MAC address gets {ours} answers beside a transfer; with the "
                 f"forwarder alone {beside} beside a transfer, and {alone} without one")
    assert ours <= alone + LIES // 10


def without_forwarding(testbed):
    """Waits until the forwarder's rules from the client to the gateway have gone from the client's switch."""
    network = testbed.network
    ends = f"dl_src={network.clients[0].MAC()},dl_dst={network.router.MAC()}"

    def gone():
        rules = run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", network.topology.pair(0)[0]], "reading rules").splitlines()
        return not [rule for rule in rules if ends in rule and "tp_dst" not in rule and "tp_src" not in rule]
    wait_for("no rule of the forwarder to the gateway", gone, TIMEOUT)


def stolen(testbed):
    """How many segments to the server come to a host that sends with its address and the gateway's MAC address, which the client
    answers."""
    network = testbed.network
    client, liar, mac = network.clients[0], network.net["u1"], network.router.MAC()
    server, asked = network.addresses(network.servers[0])[0], network.addresses(client)[0]

    def lies():
        with Wire(liar) as wire:
            for port in range(9000, 9000 + LIES):
                wire.send(announcement(mac, gateway(CLIENTS_SUBNET)))
                wire.send(frame((mac, client.MAC()), (server, TRANSFER_PORT), (asked, port), SYN))
                # The client has answered then, or has been asked again.
                wire.wait_for(lambda segment, port=port: segment.source == (asked, port), seconds=0.1)
    return count_segments(liar, lambda segment: segment.destination[0] == server, lies)


def test_a_frame_to_all_with_an_address_of_one_makes_no_connection(testbed):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    before = counters(testbed)
    with Wire(client) as wire, Wire(network.router) as router:
        for port in range(9100, 9110):
            ends = (network.addresses(client)[0], port), (network.addresses(server)[0], 5201)
            wire.send(frame((client.MAC(), BROADCAST), *ends, SYN, options=bytes.fromhex("1e040101")))
            assert router.wait_for(lambda segment: segment.source == ends[0]), "not forwarded as the forwarder does"
    now = counters(testbed)
    assert now["established.capable-v1"] == before["established.capable-v1"]
    with listening(server, 5301):
        assert connects(client, network.addresses(server)[0], 5301)


@pytest.mark.parametrize("delivery", ["all-tcp"], indirect=True)
def test_two_routers_in_a_loop_harm_nobody(testbed, delivery):
    """What goes to 10.9.0.0/16 goes round until its time to live is over, by way of ports of the fabric."""
    network = testbed.network
    nowhere, router, via = "10.9.0.1", network.router, "10.0.255.253"
    with attached("s6", "r2", "02:00:00:00:09:02", via) as other:
        make_router(other, f"ip route add 10.9.0.0/16 via {gateway(CLIENTS_SUBNET)}")
        router.pexec(["ip", "route", "add", "10.9.0.0/16", "via", via])
        try:
            with transfer(testbed) as running:
                crossing.wait_for_legs(testbed, ENDS)
                other.announce(via)
                before = other.received()
                assert not connects(network.clients[0], nowhere, 5301, seconds=2)
                assert other.received() > before
                flows(testbed)
                crossing.wait_for_legs(testbed, ENDS)
                running.finish()
        finally:
            router.pexec(["ip", "route", "del", "10.9.0.0/16"])
    assert not [one for one in active(testbed) if one["server"] == nowhere]


@pytest.mark.long
def test_nearly_all_that_there_is_room_for_is_carried(testbed, capsys):
    ours = crossing.goodput(testbed)
    tell(capsys, f"{testbed.network.topology.name}: {ours}")
    assert ours.late >= NEARLY_ALL
