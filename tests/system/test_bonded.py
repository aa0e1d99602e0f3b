# SPDX-License-Identifier: Apache-2.0
"""A host with one MAC address at two ports. If one is in use (an active-backup bond), its connection follows it when that link is
lost, and back. If both are (each flow has one of them), each subflow has its path from the port where its frames come in."""

import contextlib
import itertools
import time
from collections.abc import Iterator

import pytest

from conftest import active, links_of, quiet, tell
from crossing import FULL_MBPS, Attached, soon
from life import TIMEOUT, flows, paths, received
from mptcplab.errors import LabError
from mptcplab.netcfg import device_id
from mptcplab.processes import run, wait_for
from mptcplab.rest import quote
from mptcplab.sampling import sent_bytes
from packets import Wire, announcement
from stream import Stream

_NUMBERS = itertools.count(1)
"""Each host has a MAC address of its own: a release's forwarder keeps its rules to the port of the host before for as long as
somebody sends there."""
FOLLOWS_SECONDS = 3
"""Until data leaves by the other port. The host's own kernel waits before it repeats a segment: up to a second after some."""

LATER_SECONDS = 1
"""Than with the forwarder alone, at most. The host's kernel doubles the time until it repeats a segment again: who misses one of
these by a moment has the next one a second later."""
PATIENCE_SECONDS = 20
"""A release's forwarder alone keeps its rules to the lost link as long as somebody sends there."""
MANY_MBIT = 20
"""Of a transfer that has its paths by then."""

ENOUGH_BYTES = 5_000_000
"""Much more than what the controller forwards of one flow before it forwards slowly: 4 s at 10 Mbit/s, else 16."""
SOON_SECONDS = 12


class Bond(Attached):
    """A bridge over two links, of which one is up: so a kernel without bonding has what an active-backup bond is."""

    def __init__(self, switches: tuple[str, str]) -> None:
        number = next(_NUMBERS)
        super().__init__(f"10.0.8.{number}", f"02:00:00:00:08:{number:02x}", switches[0], "bond")
        self.switches = switches

    def defaultIntf(self):
        """Where its addresses are."""
        intf = super().defaultIntf()
        intf.name = "bond0"
        return intf

    def build(self) -> None:
        self.run(["ip", "link", "add", "bond0", "address", self.mac, "type", "bridge", "forward_delay", "0", "stp_state", "0"])
        for index, switch in enumerate(self.switches):
            port, wire = f"bond-port{index}", f"wire{index}"
            run(["ip", "link", "add", port, "type", "veth", "peer", "name", wire, "netns", str(self.pid)], "making a bond")
            self.run(["ip", "link", "set", wire, "master", "bond0"])
            self.run(["ethtool", "-K", wire, "tx", "off"])
            run(["ip", "link", "set", port, "up"], "making a bond")
            run(["ovs-vsctl", "--timeout=20", "add-port", switch, port], "attaching a bond")
        for command in ("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.mptcp.enabled=1",
                        f"ip address add {self.address}/16 dev bond0", "ethtool -K bond0 tx off",
                        f"ip link set bond0 address {self.mac}", "ip link set bond0 up"):
            self.run(command.split())

    def use(self, index: int) -> None:
        """Loses the other link, and says so on this one, as a bond does."""
        self.run(["ip", "link", "set", f"wire{1 - index}", "down"])
        self.run(["ip", "link", "set", f"wire{index}", "up"])
        with Wire(self) as wire:
            wire.send(announcement(self.mac, self.address))

    def remove(self) -> None:
        for index, switch in enumerate(self.switches):
            run(["ovs-vsctl", "--timeout=20", "--if-exists", "del-port", switch, f"bond-port{index}"], "removing a bond")
        self.end()

    def sends(self, index: int) -> int:
        """Bytes that it has been sent by a link."""
        return sent_bytes()[f"bond-port{index}"]


class Balanced(Bond):
    """Two links with one MAC address, both in use: a flow's source address says by which it leaves. What a bond does that hashes
    (balance-xor), but known beforehand. Frames to it are taken at either. ``further``: addresses that it has besides; the first
    of these uses the second link."""

    def __init__(self, switches: tuple[str, str]) -> None:
        super().__init__(switches)
        self.further = tuple(self.address.replace("10.0.8.", f"10.0.{net}.") for net in (18, 28))

    def defaultIntf(self):
        intf = super().defaultIntf()
        intf.name = "wire0"
        return intf

    def build(self) -> None:
        super().build()
        for command in ("ip link delete bond0", "ip link set lo up", "sysctl -qw net.ipv4.conf.all.rp_filter=0",
                        "ip mptcp limits set subflow 8 add_addr_accepted 8", f"ip rule add from {self.further[0]} lookup 101",
                        *(f"ip address add {address}/32 dev lo" for address in (self.address, *self.further)),
                        *(f"ip mptcp endpoint add {address} subflow" for address in self.further)):
            self.run(command.split())

    def join(self, index: int, to: str, mac: str) -> None:
        """From now on flows use this link, too, if it is theirs; a bond has one table of neighbours."""
        wire = f"wire{index}"
        for command in (f"ip link set {wire} address {self.mac} up", f"sysctl -qw net.ipv4.conf.{wire}.rp_filter=0",
                        f"ip route replace 10.0.0.0/16 dev {wire} src {self.address} metric {index + 1}",
                        f"ip neigh replace {to} lladdr {mac} dev {wire} nud permanent",
                        *(["ip route replace 10.0.0.0/16 dev wire1 table 101"] * index)):
            self.run(command.split())

    def lose(self, index: int) -> None:
        self.run(["ip", "link", "set", f"wire{index}", "down"])

    def points(self) -> list[str]:
        """ONOS's names of its ports."""
        return [f"{device_id(switch)}/" + run(["ovs-vsctl", "--timeout=20", "get", "Interface", f"bond-port{index}", "ofport"],
                                              "asking for a port").strip() for index, switch in enumerate(self.switches)]

    def speaks(self, to: str) -> bool:
        """Whether it reaches a host from each address."""
        return all(not self.pexec(["ping", "-c", "1", "-W", "1", "-I", address, to])[2]
                   for address in (self.address, *self.further))


@contextlib.contextmanager
def balanced(testbed, switches: tuple[str, str], configured: bool) -> Iterator[Balanced]:
    """A host that uses both links. ``configured``: ONOS is told so by its network configuration."""
    host, rest = Balanced(switches), testbed.onos.rest
    key, server = f"{host.mac}/None", testbed.network.servers[0]
    with contextlib.ExitStack() as after:
        after.callback(host.remove)
        host.build()
        if configured:
            after.callback(rest.delete, f"/network/configuration/hosts/{quote(key)}")
            rest.post("/network/configuration", {"hosts": {key: {"basic": {"locations": host.points()}}}})
        for index in range(2):
            host.join(index, testbed.network.addresses(server)[0], server.MAC())
        wait_for("it speaks", lambda: host.speaks(testbed.network.addresses(server)[0]), TIMEOUT)
        yield host
        # A connection whose host is gone would end much later.
        quiet(testbed)


@pytest.fixture(params=[("s1", "s1"), ("s1", "s2")], ids=["one-switch", "two-switches"])
def bond(request, testbed) -> Iterator[Bond]:
    host = Bond(request.param)
    with contextlib.ExitStack() as after:
        after.callback(host.remove)
        host.build()
        host.use(0)
        wait_for("it speaks", lambda: not host.pexec(
            ["ping", "-c", "1", "-W", "1", testbed.network.addresses(testbed.network.servers[0])[0]])[2], TIMEOUT)
        yield host
        # A connection whose host is gone would end much later.
        quiet(testbed)


def begins_at(testbed, bond: Bond, switch: str) -> bool:
    found = [paths(one) for one in active(testbed) if one["client"] == bond.address]
    if [[path[:1] for path in those] for those in found] != [[[switch]]]:
        raise LabError(str(found))
    return True


def test_a_connection_follows_a_bonded_host_to_its_other_port_and_back(testbed, bond, capsys):
    server = testbed.network.servers[0]
    running = Stream(bond, server, testbed.network.addresses(server)[0])
    try:
        wait_for("its path", lambda: begins_at(testbed, bond, bond.switches[0]), TIMEOUT)
        times = []
        for index in (1, 0):
            times.append(follows(bond, index, TIMEOUT))
            wait_for("its path from there", lambda: begins_at(testbed, bond, bond.switches[index]), TIMEOUT)
            flows(testbed)
        tell(capsys, f"a bond at {' and '.join(bond.switches)}: by the other link after {times[0]:.2f} s, back {times[1]:.2f}")
        running.finish()
        assert max(times) <= FOLLOWS_SECONDS
    finally:
        running.stop()


@pytest.mark.long
def test_a_bonded_host_is_followed_no_later_than_by_the_forwarder_alone(testbed, bond, capsys):
    ours = first_follows(testbed, bond)
    with testbed.without_application():
        alone = first_follows(testbed, bond)
    tell(capsys, f"a bond at {' and '.join(bond.switches)}: by the other link after {ours:.2f} s; the forwarder alone: "
                 + (f"{alone:.2f}" if alone < PATIENCE_SECONDS else f"not within {alone} s"))
    assert ours <= alone + LATER_SECONDS


def first_follows(testbed, bond: Bond) -> float:
    """Begins a transfer, and gives after how many seconds it uses the bond's other link; `PATIENCE_SECONDS` if not by then."""
    server = testbed.network.servers[0]
    running = Stream(bond, server, testbed.network.addresses(server)[0])
    try:
        flows(testbed, MANY_MBIT)
        seconds = follows(bond, 1, PATIENCE_SECONDS)
        bond.use(0)
        running.leave()
        return seconds
    finally:
        running.stop()


def follows(bond: Bond, index: int, patience: float) -> float:
    """Lets the bond use that link, and waits until acknowledgements come there; gives after how many seconds, at most those."""
    before, began = bond.sends(index), time.monotonic()
    bond.use(index)
    soon(lambda: bond.sends(index) > before + 2_000, patience)
    return min(patience, time.monotonic() - began)


def on_paths(testbed, host: Balanced, starts: list[str]) -> bool:
    """Whether its subflows have disjoint paths from these switches, and use them."""
    found = [one for one in active(testbed) if one["client"] == host.address]
    seen = [[path[:1] for path in paths(one)] for one in found]
    if [sorted(those) for those in seen] != [sorted([start] for start in starts)]:
        raise LabError(f"{seen} instead of {starts}")
    links = [link for path in paths(found[0]) for link in links_of(path)]
    if len(links) > len(set(links)):
        # The first one may have the others' links until it moves.
        raise LabError(f"not disjoint: {paths(found[0])}")
    return (found[0]["measuredUpMbps"] or 0) > FULL_MBPS


@pytest.mark.parametrize(("switches", "delivery"), [(("s1", "s1"), "copying"), (("s1", "s2"), "all-tcp")],
                         ids=["one-switch", "two-switches"], indirect=["delivery"])
def test_each_subflow_of_a_host_that_uses_both_links_begins_where_its_frames_come_in(testbed, switches, delivery):
    first, second = switches
    server = testbed.network.servers[0]
    to = testbed.network.addresses(server)[0]
    with balanced(testbed, switches, configured=True) as host:
        running = Stream(host, server, to)
        try:
            wait_for("paths from both ports", lambda: on_paths(testbed, host, [first, second, first]), TIMEOUT)
            host.lose(1)
            wait_for("paths from the other port", lambda: on_paths(testbed, host, [first] * 3), TIMEOUT)
            host.join(1, to, server.MAC())
            wait_for("paths from both ports again", lambda: on_paths(testbed, host, [first, second, first]), TIMEOUT)
            running.finish()
        finally:
            running.stop()


def test_a_host_that_uses_both_links_without_onos_being_told_gets_no_less(testbed, delivery):
    server = testbed.network.servers[0]
    with balanced(testbed, ("s1", "s2"), configured=False) as host:
        for address in (host.address, host.further[0]):
            with_one = Stream(host, server, testbed.network.addresses(server)[0], mptcp=False, source=address)
            try:
                before = received(testbed)
                wait_for(f"{ENOUGH_BYTES} bytes from {address}", lambda: received(testbed) - before > ENOUGH_BYTES, SOON_SECONDS)
                with_one.finish()
            finally:
                with_one.stop()
