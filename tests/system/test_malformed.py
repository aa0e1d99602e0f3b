# SPDX-License-Identifier: Apache-2.0
"""Malformed segments through a real switch: each arrives and is counted, and none becomes a connection.

Two made-up hosts, one on each host's wire, so that no kernel answers in between.
"""

import itertools
import struct

import pytest

from conftest import all_tcp_at_the_controller, connections, counters
from mptcplab.processes import wait_for
from mptcplab.sampling import rule_count
from packets import ACK, SYN, Wire, frame

CLIENT, SERVER = "10.0.9.1", "10.0.9.2"
MACS = ("02:00:00:00:09:01", "02:00:00:00:09:02")
KEY = bytes.fromhex("0123456789abcdef")
OTHER_KEY = bytes.fromhex("fedcba9876543210")
CAPABLE = bytes.fromhex("1e040101")

_ports = itertools.count(20000)


class Ends:
    """Both made-up hosts: a segment from one, and whether it arrived at the other."""

    def __init__(self, client, server):
        self._wires = {CLIENT: client, SERVER: server}

    def announce(self):
        """Gratuitous ARP, so that ONOS knows where they are."""
        for address, wire, mac in zip((CLIENT, SERVER), self._wires.values(), MACS):
            wire.send(_arp(mac, address))

    def pass_on(self, source, destination, flags, **what):
        """Sends a segment and returns it as it arrives; fails if it does not."""
        macs = MACS if source[0] == CLIENT else MACS[::-1]
        self._wires[source[0]].send(frame(macs, source, destination, flags, **what))
        arrived = self._wires[destination[0]].wait_for(
            lambda s: s.source == source and s.destination == destination and s.flags == flags)
        assert arrived, f"{source} → {destination} got stuck"
        return arrived

    def handshake(self, client_options, server_options, ack_options, port=None):
        """A whole three-way handshake; returns (client, server) ends."""
        client, server = (CLIENT, port or next(_ports)), (SERVER, 5201)
        self.pass_on(client, server, SYN, sequence=1000, options=client_options)
        self.pass_on(server, client, SYN | ACK, sequence=5000, acknowledgement=1001, options=server_options)
        self.pass_on(client, server, ACK, sequence=1001, acknowledgement=5001, options=ack_options)
        return client, server


@pytest.fixture(scope="module")
def ends(session_testbed):
    network = session_testbed.network
    # Every segment comes to the controller, and one handshake is enough for paths.
    with (all_tcp_at_the_controller(session_testbed, manageAfterMillis=0), Wire(network.clients[0]) as client,
          Wire(network.servers[0]) as server):
        made = Ends(client, server)

        def known():
            made.announce()
            addresses = {ip for h in session_testbed.onos.rest.get("/hosts")["hosts"] for ip in h["ipAddresses"]}
            return {CLIENT, SERVER} <= addresses
        wait_for("ONOS knows the made-up hosts", known, 20, every=0.5)
        yield made


@pytest.fixture(autouse=True)
def nothing_is_logged(session_testbed):
    """No test of this file makes ONOS log an error or an exception."""
    before = len(session_testbed.onos.log())
    yield
    said = session_testbed.onos.log()[before:]
    assert " ERROR " not in said and "Exception" not in said, said


def test_a_handshake_by_hand_becomes_a_connection(session_testbed, ends):
    """Without this the other tests would prove nothing: a correct handshake is recognised."""
    client, server = ends.handshake(CAPABLE, bytes.fromhex("1e0c0101") + KEY, bytes.fromhex("1e140101") + OTHER_KEY + KEY)
    assert wait_for("the connection", lambda: known(session_testbed, client), 10)


@pytest.mark.parametrize("options, counter", [
    ("1e00", "malformed.length-below-two"),
    ("1e01", "malformed.length-below-two"),
    ("02040510 1e00 0101", "malformed.length-below-two"),
    ("1e280101", "malformed.past-end"),
    ("0101 1e14 01010123", "malformed.past-end"),
    ("1e02 0101", "malformed.no-subtype"),
    ("1e06 0101 0000 0101", "malformed.wrong-length"),
    ("1e05 0101 00 010101", "malformed.wrong-length"),
    ("1e08 1001 62c2ac68", "malformed.wrong-length"),
    ("1e04 9000", "malformed.unknown-subtype"),
    ("1e04 e000", "malformed.unknown-subtype"),
    ("1e04 0501", "malformed.unsupported-version"),
    ("1e04 0101 1e04 0101", "malformed.duplicate-subtype"),
    ("1e04 0101 1e0c 1001 62c2ac68cd32766a", "malformed.conflicting-subtypes"),
])
def test_malformed_options_of_a_syn(session_testbed, ends, options, counter):
    before = count(session_testbed, counter)
    source = (CLIENT, next(_ports))
    sent = bytes.fromhex(options.replace(" ", ""))
    arrived = ends.pass_on(source, (SERVER, 5201), SYN, sequence=1, options=sent)
    assert arrived.options.startswith(sent), "nobody repairs what is not his"
    wait_for(f"counted as {counter}", lambda: count(session_testbed, counter) == before + 1, 10)
    # The connection goes on as plain TCP, whatever the server makes of it.
    ends.pass_on((SERVER, 5201), source, SYN | ACK, sequence=7, acknowledgement=2)
    ends.pass_on(source, (SERVER, 5201), ACK, sequence=2, acknowledgement=8)
    assert not known(session_testbed, source)


# Not here: a header that claims more than the packet has. ONOS's own OpenFlow handler (seen with 2.5.6) fails on it before
# any application sees it (NullPointerException in OFChannelHandler.classifyEthernetPacket) and drops the switch.
@pytest.mark.parametrize("what", [{"header": 8}, {"options": b"\x1e\x04\x01\x01", "header": 16}])
def test_headers_that_contradict_the_packet(session_testbed, ends, what):
    before = count(session_testbed, "segments.truncated")
    source = (CLIENT, next(_ports))
    macs_frame = frame(MACS, source, (SERVER, 5201), SYN, sequence=1, **what)
    ends._wires[CLIENT].send(macs_frame)
    wait_for("counted", lambda: count(session_testbed, "segments.truncated") > before, 10)
    assert not known(session_testbed, source)


def test_a_join_with_an_unknown_token(session_testbed, ends):
    before, source = count(session_testbed, "join.unknown-token"), (CLIENT, next(_ports))
    ends.pass_on(source, (SERVER, 5201), SYN, sequence=1,
                 options=bytes.fromhex("1e0c1001deadbeefcd32766a"))
    wait_for("counted", lambda: count(session_testbed, "join.unknown-token") == before + 1, 10)
    assert not known(session_testbed, source)


def test_retransmitted_syns(session_testbed, ends):
    before = count(session_testbed, "syn.retransmitted")
    client, server = (CLIENT, next(_ports)), (SERVER, 5201)
    for _ in range(3):
        ends.pass_on(client, server, SYN, sequence=1000, options=CAPABLE)
    wait_for("counted", lambda: count(session_testbed, "syn.retransmitted") == before + 2, 10)
    ends.handshake(CAPABLE, bytes.fromhex("1e0c0101") + bytes(7) + b"\x07",
                   bytes.fromhex("1e140101") + bytes(7) + b"\x08" + bytes(7) + b"\x07", port=client[1])
    wait_for("one connection", lambda: known(session_testbed, client), 10)
    assert sum(one["subflows"][0]["src"] == f"{client[0]}:{client[1]}" for one in connections(session_testbed)) == 1


def test_a_syn_without_its_ack_installs_nothing(session_testbed, ends):
    client, server = (CLIENT, next(_ports)), (SERVER, 5201)
    ends.pass_on(client, server, SYN, sequence=1000, options=CAPABLE)
    ends.pass_on(server, client, SYN | ACK, sequence=5000, acknowledgement=1001,
                 options=bytes.fromhex("1e0c0101") + OTHER_KEY[::-1])
    # The last segment has passed the controller, and so have all before it.
    assert not known(session_testbed, client)
    for switch in session_testbed.network.topology.switches:
        # With the address: a kernel may have chosen the same port for a connection of an earlier test.
        assert not rule_count(switch, f"tcp,nw_src={client[0]},tp_src={client[1]}")


def test_two_connections_with_one_token(session_testbed, ends):
    server_key = struct.pack("!Q", 4711)
    before = count(session_testbed, "token.duplicate")
    for client_key in (b"\x11" * 8, b"\x22" * 8):
        ends.handshake(CAPABLE, bytes.fromhex("1e0c0101") + server_key,
                       bytes.fromhex("1e140101") + client_key + server_key)
    wait_for("counted", lambda: count(session_testbed, "token.duplicate") > before, 10)


def known(testbed, client):
    """Whether the controller has a connection with a subflow that starts there."""
    source = f"{client[0]}:{client[1]}"
    return any(subflow["src"] == source for one in connections(testbed) for subflow in one["subflows"])


def count(testbed, name):
    return counters(testbed)[name]


def _arp(mac, address):
    here = bytes.fromhex(mac.replace(":", ""))
    ip = bytes(map(int, address.split(".")))
    return b"\xff" * 6 + here + b"\x08\x06" + struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + here + ip + bytes(6) + ip
