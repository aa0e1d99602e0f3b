# SPDX-License-Identifier: Apache-2.0
"""Hosts to which the application gives no paths: those behind service tags (QinQ), and those that have an address of an interface
of ONOS's network configuration. With one VLAN tag a host is like any other, and so is one that is attached at several points."""

import contextlib
import struct
from collections.abc import Iterator

import pytest

from conftest import all_tcp_at_the_controller, connections, counters
from life import paths
from mptcplab.netcfg import device_id
from mptcplab.processes import run, wait_for
from mptcplab.rest import quote
from packets import SYN, Wire, frame
from pairs import CLIENT, MACS, OPTIONS, Pair

VLAN = 100
MARK = b"behind two tags"


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


def test_vlan_tagged_hosts_are_managed(testbed, wires):
    pair = Pair(testbed, wires, VLAN)
    wait_for("ONOS knows the tagged hosts", pair.announce, 20, every=0.5)
    before = counters(testbed)
    client = pair.handshake()
    wait_for("managed", lambda: known(testbed, client), 10)
    assert counters(testbed)["established.capable-v1"] == before["established.capable-v1"] + 1
    assert counters(testbed)["ignored.vlan"] == before["ignored.vlan"]


@pytest.mark.parametrize("tags, counted", [([(0x88a8, 5)], True), ([(0x88a8, 5), (0x8100, VLAN)], False)],
                         ids=["service-tag", "qinq"])
def test_what_has_a_service_tag_is_left_alone(testbed, wires, tags, counted):
    """A switch that looks at one tag shows nothing of what is behind two."""
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    ends = [(network.addresses(host)[0], port) for host, port in ((client, 9200), (server, 5201))]
    before = counters(testbed)
    syn = frame((client.MAC(), server.MAC()), *ends, SYN, options=OPTIONS[0])
    wires[0].send(syn[:12] + b"".join(struct.pack("!HH", *tag) for tag in tags) + syn[12:])
    if counted:
        wait_for("counted", lambda: counters(testbed)["ignored.vlan"] > before["ignored.vlan"], 10)
    # The same without tags, which comes after it, is seen.
    wires[0].send(syn)
    wait_for("the next one seen", lambda: counters(testbed)["syn.capable"] > before["syn.capable"], 10)
    assert counters(testbed)["syn.capable"] == before["syn.capable"] + 1


@contextlib.contextmanager
def tags_looked_at(number: int) -> Iterator[None]:
    """Open vSwitch looks at so many VLAN tags of a frame; one, if nobody says."""
    ovs = ["ovs-vsctl", "--timeout=20"]
    run([*ovs, "set", "Open_vSwitch", ".", f"other_config:vlan-limit={number}"], "setting vlan-limit")
    try:
        yield
    finally:
        run([*ovs, "remove", "Open_vSwitch", ".", "other_config", "vlan-limit"], "taking vlan-limit back")


@pytest.mark.parametrize("outer", [0x88a8, 0x8100], ids=["802.1ad", "stacked-802.1Q"])
@pytest.mark.parametrize("looked_at", [1, 2])
@pytest.mark.parametrize("copying", [False, True], ids=["all-tcp", "copying"])
def test_what_has_two_tags_flows_and_is_counted_where_a_switch_looks_at_both(testbed, wires, copying, looked_at, outer):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    ends = [(network.addresses(host)[0], port) for host, port in ((client, 9300), (server, 5201))]
    syn = frame((client.MAC(), server.MAC()), *ends, SYN, options=OPTIONS[0], payload=MARK)
    tagged = syn[:12] + struct.pack("!HHHH", outer, 5, 0x8100, VLAN) + syn[12:]
    with contextlib.ExitStack() as after:
        if copying and testbed.is_copying:
            after.callback(testbed.onos.copy_tcp_flags, False, len(network.topology.switches))
            testbed.onos.copy_tcp_flags(True, len(network.topology.switches))
        after.enter_context(tags_looked_at(looked_at))
        # The forwarder's rules for the two MAC addresses are there then, whatever the switches look at.
        network.ping(client, ends[0][0], ends[1][0])
        before = counters(testbed)
        wires[0].send(tagged)
        assert wires[1].has(MARK), "without the application it arrives"
        if looked_at > 1:
            wait_for("counted", lambda: counters(testbed)["ignored.vlan"] > before["ignored.vlan"], 10)
        assert counters(testbed)["syn.capable"] == before["syn.capable"]


def test_a_host_at_several_points_is_managed_at_the_one_where_its_frames_come_in(testbed, wires):
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
        before = counters(testbed)
        client = pair.handshake()
        wait_for("managed", lambda: known(testbed, client), 10)
        assert counters(testbed)["established.unmanaged"] == before["established.unmanaged"]
        assert [path[0] for c in connections(testbed) if holds(c, client) for path in paths(c)] == ["s1"]


def test_what_has_an_address_of_an_interface_is_left_to_the_application_that_has_it(testbed, wires):
    pair, rest = Pair(testbed, wires), testbed.onos.rest
    wait_for("ONOS knows the hosts", pair.announce, 20, every=0.5)
    port = f"{device_id('s5')}/{testbed.network.port('s5', testbed.network.servers[0].name)}"
    with contextlib.ExitStack() as after:
        after.callback(rest.delete, f"/network/configuration/ports/{quote(port)}/interfaces")
        rest.post("/network/configuration", {"ports": {port: {"interfaces": [{"name": "speaker", "mac": MACS[1]}]}}})
        before, log = counters(testbed), len(testbed.onos.log())
        client = pair.handshake()
        wait_for("counted", lambda: counters(testbed)["established.unmanaged"] > before["established.unmanaged"], 10)
        assert counters(testbed)["established.capable-v1"] == before["established.capable-v1"] + 1
        assert not known(testbed, client)
        assert "it has an address of an interface in the network configuration" in testbed.onos.log()[log:]


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
    return any(holds(c, client) for c in connections(testbed))


def holds(connection, client):
    return any(s["src"] == f"{client[0]}:{client[1]}" for s in connection["subflows"])
