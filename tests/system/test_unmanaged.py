# SPDX-License-Identifier: Apache-2.0
"""Hosts to which the application gives no paths: VLAN-tagged ones, and those attached at several points."""

import contextlib
import itertools
import struct

import pytest

from conftest import all_tcp_at_the_controller, connections, counters
from mptcplab.netcfg import device_id
from mptcplab.processes import wait_for
from mptcplab.rest import quote
from packets import ACK, SYN, Wire, frame

CLIENT, SERVER = "10.0.8.1", "10.0.8.2"
MACS = ("02:00:00:00:08:01", "02:00:00:00:08:02")
KEYS = bytes.fromhex("0123456789abcdef fedcba9876543210")
OPTIONS = (bytes.fromhex("1e040101"), bytes.fromhex("1e0c0101") + KEYS[8:], bytes.fromhex("1e140101") + KEYS)
VLAN = 100

_ports = itertools.count(30000)


class Pair:
    """Two made-up hosts on the wires of h1 and h2, tagged or not."""

    def __init__(self, testbed, wires, vlan=None):
        self._testbed, self._wires, self._vlan = testbed, dict(zip((CLIENT, SERVER), wires)), vlan
        self._arrivals = dict(self._wires)

    def expect_at(self, address, wires):
        """Has segments to an address expected on others than the wire from which it sends."""
        self._arrivals[address] = wires

    def announce(self):
        """Gratuitous ARP, so that ONOS knows where they are."""
        for address, mac in zip((CLIENT, SERVER), MACS):
            here, ip = bytes.fromhex(mac.replace(":", "")), bytes(map(int, address.split(".")))
            self._send(address, b"\xff" * 6 + here + b"\x08\x06"
                       + struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + here + ip + bytes(6) + ip)
        vlan = str(self._vlan) if self._vlan else "None"
        known = {ip for h in self._testbed.onos.rest.get("/hosts")["hosts"] if h["vlan"] == vlan for ip in h["ipAddresses"]}
        return {CLIENT, SERVER} <= known

    def handshake(self):
        """A three-way handshake with MP_CAPABLE, every segment of which has to arrive; returns the client's end."""
        client, server = (CLIENT, next(_ports)), (SERVER, 5201)
        for source, destination, flags, numbers, options in (
                (client, server, SYN, (1000, 0), OPTIONS[0]),
                (server, client, SYN | ACK, (5000, 1001), OPTIONS[1]),
                (client, server, ACK, (1001, 5001), OPTIONS[2])):
            macs = MACS if source == client else MACS[::-1]
            self._send(source[0], frame(macs, source, destination, flags, sequence=numbers[0], acknowledgement=numbers[1],
                                        options=options))
            assert self._arrivals[destination[0]].wait_for(
                lambda s: s.source == source and s.destination == destination and s.flags == flags), \
                f"{source} → {destination} got stuck"
        return client

    def _send(self, address, untagged):
        tag = b"" if self._vlan is None else struct.pack("!HH", 0x8100, self._vlan)
        self._wires[address].send(untagged[:12] + tag + untagged[12:])


@pytest.fixture(scope="module", autouse=True)
def every_segment_is_seen(session_testbed):
    """One handshake without data is enough, and tagged frames come to the controller, too."""
    with all_tcp_at_the_controller(session_testbed, manageAfterMillis=0):
        yield


@pytest.fixture
def wires(testbed):
    with Wire(testbed.network.clients[0]) as client, Wire(testbed.network.servers[0]) as server:
        yield client, server
    for host in testbed.onos.rest.get("/hosts")["hosts"]:
        if host["mac"].lower() in MACS:
            testbed.onos.rest.delete(f"/hosts/{host['mac']}/{host['vlan']}")


def test_vlan_tagged_hosts_are_left_to_other_applications(testbed, wires):
    pair = Pair(testbed, wires, VLAN)
    wait_for("ONOS knows the tagged hosts", pair.announce, 20, every=0.5)
    before, log = counters(testbed), len(testbed.onos.log())
    client = pair.handshake()
    wait_for("counted", lambda: counters(testbed)["ignored.vlan"] > before["ignored.vlan"], 10)
    assert counters(testbed)["established.capable-v1"] == before["established.capable-v1"]
    assert not known(testbed, client)
    assert f"TCP with VLAN tag {VLAN} comes in at" in testbed.onos.log()[log:]


def test_a_host_at_several_points_is_forwarded_like_plain_tcp(testbed, wires):
    pair, rest = Pair(testbed, wires), testbed.onos.rest
    wait_for("ONOS knows the hosts", pair.announce, 20, every=0.5)
    network = testbed.network
    host = f"{MACS[0]}/None"
    rest.post("/network/configuration", {"hosts": {host: {"basic": {
        "locations": [f"{device_id('s1')}/{network.port('s1', 'h1')}", f"{device_id('s2')}/{network.port('s2', 'u2')}"]}}}})
    with contextlib.ExitStack() as after:
        after.callback(rest.delete, f"/network/configuration/hosts/{quote(host)}")
        wait_for("two locations", lambda: [len(h["locations"]) for h in rest.get("/hosts")["hosts"]
                                           if h["mac"].lower() == MACS[0]] == [2], 20)
        pair.expect_at(CLIENT, Either(wires[0], after.enter_context(Wire(network.net["u2"]))))
        before, log = counters(testbed), len(testbed.onos.log())
        client = pair.handshake()
        wait_for("counted", lambda: counters(testbed)["established.unmanaged"] > before["established.unmanaged"], 10)
        assert counters(testbed)["established.capable-v1"] == before["established.capable-v1"] + 1
        assert not known(testbed, client)
        assert f"MPTCP connections of {CLIENT} are forwarded like plain TCP: the host is attached at several points" \
            in testbed.onos.log()[log:]


class Either:
    """Two wires, at one of which segments arrive."""

    def __init__(self, *wires):
        self._wires = wires

    def wait_for(self, wanted):
        for _ in range(10):
            for wire in self._wires:
                segment = wire.wait_for(wanted, seconds=1)
                if segment:
                    return segment
        return None


def known(testbed, client):
    return any(s["src"] == f"{client[0]}:{client[1]}" for c in connections(testbed) for s in c["subflows"])
