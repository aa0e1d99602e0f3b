# SPDX-License-Identifier: Apache-2.0
"""Links that carry packets of 1,400 or 9,000 octets, and one that is a tunnel. OpenFlow tells of no MTU, so a controller knows
none of this: nobody gets less than with the forwarder alone."""

import contextlib
import json
from collections.abc import Iterator

import pytest

from conftest import assert_disjoint, tell
from crossing import NO_LESS, goodput, wait_until_closed
from life import SUBFLOWS, established, flows, paths, transfer
from mptcplab.processes import run
from mptcplab.testbed import Testbed

TUNNEL = ("s1", "s2")
PORTS = (4790, 4791)
"""Of UDP. Both ends are in one namespace, so they cannot share VXLAN's own."""

HEADERS = 50
"""Octets of Ethernet, IPv4, UDP and VXLAN around each frame."""


@pytest.mark.parametrize("mtu", [1400, 9000])
def test_other_mtus_change_nothing(testbed: Testbed, mtu: int) -> None:
    with mtu_everywhere(testbed, mtu), transfer(testbed) as running:
        assert_disjoint(paths(established(testbed, SUBFLOWS)))
        octets, packets = sent_to_server(testbed)
        flows(testbed, 10)
        more, further = sent_to_server(testbed)
        assert (more - octets) / (further - packets) > 0.7 * mtu, "nearly all packets are full"
        running.finish()


@pytest.mark.long
@pytest.mark.parametrize("mtu", [1500, 1500 - HEADERS], ids=["of-1500", "too-small"])
def test_over_a_tunnel_nobody_gets_less(testbed: Testbed, mtu: int, capsys: pytest.CaptureFixture[str]) -> None:
    with tunnel(testbed, mtu):
        ours = goodput(testbed)
        wait_until_closed(testbed)
        with testbed.without_application():
            alone = goodput(testbed)
            wait_until_closed(testbed)
    tell(capsys, f"tunnel of {mtu} octets: {ours}; the forwarder alone: {alone}")
    assert ours.plain >= NO_LESS * alone.plain
    assert ours.mptcp >= NO_LESS * alone.mptcp


def sent_to_server(testbed: Testbed) -> tuple[int, int]:
    """Octets and packets that the first server's switch has sent it."""
    network = testbed.network
    interface = network.interface(network.topology.pair(0)[1], network.servers[0].name)
    sent = json.loads(run(["ip", "-json", "-statistics", "link", "show", "dev", interface], "counting"))[0]["stats64"]["tx"]
    return sent["bytes"], sent["packets"]


@contextlib.contextmanager
def mtu_everywhere(testbed: Testbed, mtu: int) -> Iterator[None]:
    """All links and hosts have this MTU, octets."""
    try:
        _set_mtu(testbed, mtu)
        yield
    finally:
        _set_mtu(testbed, 1500)


def _set_mtu(testbed: Testbed, mtu: int) -> None:
    network = testbed.network
    for a, b in network.neighbours():
        command = ["ip", "link", "set", network.interface(a, b), "mtu", str(mtu)]
        if a in network.topology.switches:
            run(command, "setting an MTU")
        else:
            network.net[a].cmd(" ".join(command))


@contextlib.contextmanager
def tunnel(testbed: Testbed, mtu: int) -> Iterator[None]:
    """A VXLAN tunnel that carries packets of so many octets takes the place of a link."""
    network = testbed.network
    ends = (TUNNEL, TUNNEL[::-1])
    try:
        for number, (here, there) in enumerate(ends):
            name = f"{here}-vx"
            run(["ip", "link", "add", name, "mtu", str(mtu), "type", "vxlan", "id", "7", "dev", "lo",
                 "local", f"127.0.0.{2 + number}", "dstport", str(PORTS[number])], "making a tunnel")
            run(["bridge", "fdb", "append", "00:00:00:00:00:00", "dev", name, "dst", f"127.0.0.{3 - number}", "port",
                 str(PORTS[1 - number])], "making a tunnel")
            run(["ip", "link", "set", name, "up"], "making a tunnel")
            _replace(testbed, here, there, network.interface(here, there), name)
            network.limit_rate(here, there, name)
        testbed.wait_for_links()
        yield
    finally:
        for here, there in ends:
            _replace(testbed, here, there, f"{here}-vx", network.interface(here, there))
            network.limit_rate(here, there)
            run(["ip", "link", "delete", f"{here}-vx"], "removing a tunnel")
        testbed.wait_for_links()


def _replace(testbed: Testbed, here: str, there: str, old: str, new: str) -> None:
    run(["ovs-vsctl", "--timeout=20", "--if-exists", "del-port", here, old, "--", "--may-exist", "add-port", here, new, "--",
         "set", "Interface", new, f"ofport_request={testbed.network.port(here, there)}"], "replacing a port")
